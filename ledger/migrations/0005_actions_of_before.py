"""What was done before actions were kept becomes actions too.

A hand taken back between others gives up its number, as it does from now on.
"""

from __future__ import annotations

from collections import defaultdict
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
    guards.install(editor.connection)


def backwards(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    guards.remove(editor.connection)


class _Evening:
    """One evening played once more, from its hands and their reversals."""

    def __init__(self, apps: StateApps, evening: Any) -> None:
        self.models = apps
        self.evening = evening
        self.live: dict[int, list[Any]] = defaultdict(list)
        self.actions: list[Any] = []
        self.steps: list[Any] = []
        self.gone: list[tuple[Any, int]] = []

    def tell(self) -> None:
        versions = self._model("Version").objects.filter(
            hand__table__evening=self.evening
        )
        latest = {v.hand_id: v for v in versions.order_by("number")}
        hands = self._model("Hand").objects.filter(table__evening=self.evening)
        undone = self._model("Entry").objects.filter(
            evening=self.evening, reverses__version__isnull=False
        )
        events: list[tuple[Any, ...]] = [
            (latest[hand.pk].recorded_at, hand.number, "record", hand, None)
            for hand in hands
        ]
        by_pk = {hand.pk: hand for hand in hands}
        for entry in undone.select_related("reverses__version"):
            hand = by_pk[entry.reverses.version.hand_id]
            events.append((entry.created_at, hand.number, "void", hand, entry))
        for _at, _number, kind, hand, entry in sorted(events, key=lambda e: e[:3]):
            if kind == "record":
                self._recorded(hand, latest[hand.pk])
            else:
                self._voided(hand, latest, entry)
        if self.evening.closed_at:
            self._action(
                uuid4(), "close", self.evening.created_by_id, self.evening.closed_at
            )
        self._model("Action").objects.bulk_create(self.actions)
        self._model("Step").objects.bulk_create(self.steps)
        self._renumber()

    def _recorded(self, hand: Any, version: Any) -> None:
        live = self.live[hand.table_id]
        live.append(hand)
        action = self._action(
            hand.pk,
            "record",
            version.recorded_by_id,
            version.recorded_at,
            hand.table_id,
        )
        self._step(action, hand, (None, None), (version, len(live)))

    def _voided(self, hand: Any, latest: Any, entry: Any) -> None:
        live = self.live[hand.table_id]
        place = live.index(hand)
        action = self._action(
            entry.pk, "void", entry.created_by_id, entry.created_at, hand.table_id
        )
        version = latest[hand.pk]
        self._step(action, hand, (version, place + 1), (None, place + 1))
        self.gone.append((hand.pk, place + 1))
        for number, later in enumerate(live[place + 1 :], start=place + 1):
            version = latest[later.pk]
            self._step(action, later, (version, number + 1), (version, number))
        if live[place + 1 :]:  # who dealt it was due after the hand taken back
            following = latest[live[place + 1].pk]
            self._model("Version").objects.filter(pk=following.pk).update(
                dealer_set=True
            )
        live.remove(hand)

    def _renumber(self) -> None:
        hands = self._model("Hand").objects
        live = [hand for at in self.live.values() for hand in at]
        hands.filter(pk__in=[hand.pk for hand in live]).update(voided=True)
        for pk, number in self.gone:
            hands.filter(pk=pk).update(number=number)
        for at in self.live.values():
            for number, hand in enumerate(at, start=1):
                hands.filter(pk=hand.pk).update(number=number, voided=False)

    def _action(self, id: Any, kind: str, by: int, at: Any, table: Any = None) -> Any:
        self.actions.append(
            self._model("Action")(
                id=id,
                evening=self.evening,
                number=len(self.actions) + 1,
                table_id=table,
                kind=kind,
                by_id=by,
                at=at,
            )
        )
        return self.actions[-1]

    def _step(self, action: Any, hand: Any, before: Any, after: Any) -> None:
        self.steps.append(
            self._model("Step")(
                action=action,
                hand=hand,
                before=before[0],
                before_number=before[1],
                after=after[0],
                after_number=after[1],
            )
        )

    def _model(self, name: str) -> Any:
        return self.models.get_model("ledger", name)


class Migration(migrations.Migration):
    dependencies = [("ledger", "0004_actions")]

    operations = [migrations.RunPython(forwards, backwards)]
