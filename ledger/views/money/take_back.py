"""Taking back: a payment, or everything that was paid together."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from uuid import uuid4

from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from ledger import journal, settlement
from ledger.access import Request, club_of, evening_of
from ledger.models import Action, Club, Entry, Player
from ledger.settlement import Debt, SettlementScope
from ledger.text.messages import messages_of
from ledger.views.decorators import signed_in_action
from ledger.views.late_writes import evening_closed
from ledger.views.money.just_done import address_after, money_action
from ledger.views.money.refused import next_page, refused_page
from ledger.views.params import id_of
from scoring import Refused


@dataclass(frozen=True)
class EntryBack:
    """An entry that is taken back: its scope, its kind, and its gains reversed."""

    where: str
    words: str
    currency: str
    payment: Debt | None
    gains: Sequence[tuple[Player, int]]

    @classmethod
    def of(cls, entry: Entry, club: Club) -> EntryBack:
        scope = SettlementScope(
            club, entry.currency, evening=entry.evening, season=entry.season
        )
        gains = [(p.player, -getattr(p, scope.unit)) for p in entry.postings.all()]
        payment = next(iter(settlement.paid_debts(scope, [entry])), None)
        kind = Entry.Kind((entry.reverses or entry).kind)
        return cls(scope.title, str(kind.label), entry.currency, payment, gains)


@dataclass(frozen=True)
class TakenBack:
    """An action with all entries that are taken back with it."""

    action: Action
    club: Club
    entries: Sequence[Entry]

    @classmethod
    def of(cls, action: Action, club: Club) -> TakenBack:
        undone = Action.objects.filter(undoes=action).exists()
        entries = [] if undone else list(journal.entries_undone_with(action))
        return cls(action, club, entries)

    @property
    def asks(self) -> bool:
        """Whether a page asks first: entries of several scopes are taken back."""
        # A carry has two scopes by its nature, and names both.
        if journal.original_of(self.action).kind == Action.Kind.CARRY:
            return False
        return len({(e.evening_id, e.season_id) for e in self.entries}) > 1

    @property
    def sure(self) -> str:
        """The value of a confirmation: it differs once the entries are others."""
        return str(len(self.entries))

    @property
    def rows(self) -> list[EntryBack]:
        return [EntryBack.of(entry, self.club) for entry in self.entries]


@signed_in_action
def take_back(request: Request, pk: int) -> HttpResponse:
    """Take back one payment, or all that were made together."""
    club = club_of(request, pk, write=True)
    action = money_action(club, request.POST.get("action"))
    if action is None:
        raise BadRequest("expected a payment of this club")
    taken = TakenBack.of(action, club)
    if taken.asks and request.POST.get("sure") != taken.sure:
        return _ask(request, taken)
    undoing = None
    try:
        with suppress(journal.Stale):  # it is taken back already, as the page shows
            undoing = journal.undo(action, id=id_of(request), by=request.user)
    except journal.Closed as late:
        return evening_closed(request, evening_of(request, late.evening.pk))
    except Refused as refused:
        return refused_page(request, club, messages_of(refused.problems))
    except journal.SeasonClosed:
        return refused_page(request, club, [_("The season is closed.")])
    return redirect(address_after(next_page(request, club), undoing))


def _ask(request: Request, taken: TakenBack) -> HttpResponse:
    page = {
        "club": taken.club,
        "taken": taken,
        "next": next_page(request, taken.club),
        "id": uuid4(),
    }
    return render(request, "ledger/money/take_back.html", page)
