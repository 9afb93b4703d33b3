"""What was done before actions were kept becomes actions too.

A hand taken back between others gives up its number, as it does from now on.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from ledger import guards


def forwards(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    guards.remove(editor.connection)
    for evening in apps.get_model("ledger", "Evening").objects.order_by("pk"):
        _Evening(apps, evening).tell()


def backwards(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    guards.remove(editor.connection)


class _Evening:
    """What is known of an evening, told as actions: recorded, taken back, closed."""

    def __init__(self, apps: StateApps, evening: Any) -> None:
        self.apps = apps
        self.evening = evening
        self.actions: list[Any] = []
        self.steps: list[Any] = []

    def tell(self) -> None:
        for table in self._all("Table", evening=self.evening).order_by("number"):
            self._close_gaps(table)
            self._hands(table)
            self._seats(table)
        for entry in self._all("Entry", evening=self.evening, kind="adjustment"):
            self._action(entry.pk, "adjust", entry.created_by_id, entry.created_at)
            for back in self._all("Entry", reverses=entry):
                self._action(
                    back.pk,
                    "undo",
                    back.created_by_id,
                    back.created_at,
                    undoes_id=entry.pk,
                )
        if closed_at := self.evening.closed_at:
            self._action(uuid4(), "close", self.evening.created_by_id, closed_at)
        self._model("Action").objects.bulk_create(self.actions)
        self._model("Step").objects.bulk_create(self.steps)

    def _close_gaps(self, table: Any) -> None:
        """Give each hand the place it has from now on."""
        hands = self._all("Hand", table=table)
        ordered = list(hands.order_by("number", "-voided", "played_at"))
        live = {hand.number for hand in ordered if not hand.voided}
        number, gap = 1, False
        for hand in ordered:
            gap = gap or (hand.voided and hand.number not in live)
            if hand.number != number:
                hands.filter(pk=hand.pk).update(number=number)
            if not hand.voided:
                if gap:  # whoever dealt was due after the hand taken back
                    self._all("Version", hand=hand).update(dealer_set=True)
                number, gap = number + 1, False

    def _hands(self, table: Any) -> None:
        versions = self._all("Version", hand__table=table).select_related("hand")
        first: dict[Any, Any] = {}
        last: dict[Any, Any] = {}
        for version in versions.order_by("hand__number", "-hand__voided", "number"):
            first.setdefault(version.hand_id, version)
            last[version.hand_id] = version
        gone = []
        for hand, version in last.items():
            by, at = first[hand].recorded_by_id, first[hand].recorded_at
            action = self._action(hand, "record", by, at, table=table)
            number = version.hand.number
            self._step(action, (None, None), (version, number), version.hand)
            if version.hand.voided:
                gone += [
                    (e, version) for e in self._all("Entry", reverses__version=version)
                ]
        for entry, version in sorted(gone, key=lambda pair: pair[0].created_at):
            by, at = entry.created_by_id, entry.created_at
            action = self._action(entry.pk, "void", by, at, table=table)
            number = version.hand.number
            self._step(action, (version, number), (None, number), version.hand)

    def _seats(self, table: Any) -> None:
        lineups = [
            [
                lineup.from_hand,
                lineup.dealer_id,
                [[s.player_id, s.resting] for s in lineup.seats.order_by("position")],
            ]
            for lineup in self._all("LineUp", table=table).order_by("from_hand")
        ]
        if len(lineups) > 1:
            self._action(
                uuid4(),
                "lineup",
                self.evening.created_by_id,
                self.evening.opened_at,
                table=table,
                seating_before={str(table.pk): lineups[:1]},
                seating_after={str(table.pk): lineups},
            )

    def _action(self, id: Any, kind: str, by: int, at: Any, **more: Any) -> Any:
        action = self._model("Action")(
            id=id,
            evening=self.evening,
            number=len(self.actions) + 1,
            kind=kind,
            by_id=by,
            at=at,
            **more,
        )
        self.actions.append(action)
        return action

    def _step(self, action: Any, before: Any, after: Any, hand: Any) -> None:
        step = self._model("Step")(
            action=action,
            hand=hand,
            before=before[0],
            before_number=before[1],
            after=after[0],
            after_number=after[1],
        )
        self.steps.append(step)

    def _all(self, name: str, **which: Any) -> Any:
        return self._model(name).objects.filter(**which)

    def _model(self, name: str) -> Any:
        return self.apps.get_model("ledger", name)


class Migration(migrations.Migration):
    dependencies = [("ledger", "0004_actions")]

    operations = [migrations.RunPython(forwards, backwards)]
