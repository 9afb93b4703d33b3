"""Rails of the slip: a chip for each player, and the ladder of contra levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _

from ledger.models import Player
from ledger.text.messages import say
from ledger.text.parsing import whole_number
from ledger.views.table.slip.chips import Chip, Contra, Gap, Rail
from ledger.views.table.slip.draft import Draft
from scoring import Side


class Rails(Draft):
    """Draft with what several steps of the slip draw alike."""

    def rail(self, chip: Callable[[Player], Chip]) -> Rail:
        """Return a chip for each player, in seat order, and gaps for who sits out."""
        sitting_out = set(self.deal.sitting_out)
        return [
            Gap(player) if player in sitting_out else chip(player)
            for player in self.everybody
        ]

    def ladder(
        self, name: str, about: str, announcer: int | None, why: str = ""
    ) -> Contra:
        ladder = self.variant.ladder
        level = 0 if why else min(whole_number(self.param(name)) or 0, ladder.top)
        words = [say(ladder.word(step)) for step in range(ladder.top + 1)]
        chips = tuple(
            Chip(
                name,
                str(step),
                words[step],
                f"×{1 << step}" if step else "",
                on=step == level,
                why=why if step else "",
            )
            for step in range(ladder.top + 1)
        )
        return Contra(
            name=name,
            about=about,
            level=level,
            strokes=len(ladder.steps),
            chips=chips,
            word=words[level],
            factor=f"×{1 << level}",
            next=why or self._next_contra(words, level, announcer),
            words="|".join(words),
        )

    def _next_contra(
        self, words: Sequence[str], level: int, announcer: int | None
    ) -> str:
        if level + 1 == len(words):
            return _("tap to clear")
        if self.hand.declarer is None:
            return _("tap for {word} ×{factor}").format(
                word=words[level + 1], factor=1 << (level + 1)
            )
        side = Side.DECLARER if announcer is None else self.hand.side_of(announcer)
        speaks = self.variant.ladder.next_side(side, level)
        return _("next: {side}").format(side=self.side_name(speaks))
