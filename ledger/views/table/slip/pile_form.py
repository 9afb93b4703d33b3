"""Form that counts a pile of cards for the slip."""

from __future__ import annotations

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from scoring.cards import Pack, Rank


class PileForm(forms.Form):
    """Picture cards by rank, and tricks taken; `points` is the count of the pile."""

    pile = forms.BooleanField(required=False)

    def __init__(self, pack: Pack, data: QueryDict | None = None) -> None:
        super().__init__(data)
        self.pack = pack
        self.points: int | None = None
        self.others: int | None = None
        for rank in pack.ranks:
            self.fields[f"pile-{rank.id}"] = _rank(rank)
        self.fields["pile-tricks"] = forms.IntegerField(
            required=False, min_value=0, max_value=pack.hand
        )

    @property
    def is_used(self) -> bool:
        return bool(self.data.get("pile"))

    @property
    def tricks(self) -> int:
        given = self.cleaned_data.get("pile-tricks") if self.is_valid() else None
        return self.pack.hand // 2 if given is None else int(given)

    def held(self, rank: Rank) -> int:
        """Return how many cards of *rank* lie in the pile."""
        value = self.cleaned_data.get(f"pile-{rank.id}") if self.is_valid() else None
        return len(value) if isinstance(value, list) else int(value or 0)

    def weigh(self, cards: int) -> None:
        """Count the pile of *cards* cards, and the one of the other side."""
        held = {rank.id: self.held(rank) for rank in self.pack.ranks}
        rest = {rank.id: len(rank.cards) - held[rank.id] for rank in self.pack.ranks}
        try:
            self.points = self.pack.count_ranks(held, cards)
            self.others = self.pack.count_ranks(rest, len(self.pack.values) - cards)
        except ValueError:
            self.add_error(
                "pile-tricks",
                _(
                    "A pile of {cards} cards cannot hold that many picture cards: "
                    "check the numbers."
                ).format(cards=cards),
            )


def _rank(rank: Rank) -> forms.Field:
    if rank.named:
        choices = [(name, name) for name in rank.named]
        return forms.MultipleChoiceField(required=False, choices=choices)
    numbers = [(str(n), n) for n in range(len(rank.cards) + 1)]
    return forms.TypedChoiceField(
        required=False, choices=numbers, coerce=int, empty_value=None
    )
