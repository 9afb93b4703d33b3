"""Pile counter as the slip shows it."""

from __future__ import annotations

from ledger.text.messages import say
from ledger.views.table.slip.chips import Chip, ChipRow
from ledger.views.table.slip.draft import Draft
from scoring import Text
from scoring.cards import Rank


class PileCounter:
    """Pile counter of *draft*."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.form = draft.form.pile
        self.is_used = self.form.is_used
        self.points, self.others = self.form.points, self.form.others

    @property
    def ranks(self) -> list[ChipRow]:
        return [self._row(rank) for rank in self.form.pack.ranks]

    def _row(self, rank: Rank) -> ChipRow:
        name = f"pile-{rank.id}"
        chosen = self.draft.chosen(name)
        if rank.named:
            labels = [(n, say(Text(n))) for n in rank.named]
        else:
            labels = [(str(n), str(n)) for n in range(len(rank.cards) + 1)]
            chosen = chosen or ["0"]
        chips = [Chip(name, v, label, on=v in chosen) for v, label in labels]
        return ChipRow(say(Text(rank.name)), chips, (str(rank.points),))

    @property
    def cards(self) -> int:
        """Number of cards in the pile: tricks, and cards laid away."""
        contract = self.draft.variant.contract.get(self.draft.param("contract"))
        lifts = contract.lifts if contract else 0
        return self.form.tricks * self.draft.variant.active + lifts

    @property
    def sum(self) -> int:
        return (self.points or 0) + (self.others or 0)
