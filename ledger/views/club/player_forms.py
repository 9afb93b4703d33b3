"""Forms of a new player, and of one the club has."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ledger import journal
from ledger.models import Club, Player
from ledger.text.messages import say
from ledger.views.fields import NameField
from scoring import Refused


class NewPlayerForm(forms.Form):
    """Form of a new player: a name is enough."""

    name = NameField(label=_("New player"), max_length=60)

    def __init__(self, data: Any = None, *, club: Club, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.club = club
        self.player = Player(club=club)

    def save(self, id: UUID | None = None) -> Player | None:
        """Save and return the player; None, with errors at the field, if refused."""
        if not self.is_valid():
            return None
        try:
            return self._write(id)
        except Refused as refused:
            self.add_error("name", [say(p.message) for p in refused.problems])
            return None

    def _write(self, id: UUID | None) -> Player:
        return journal.add_player(self.club, self.cleaned_data["name"], id=id)


class PlayerForm(NewPlayerForm):
    nickname = NameField(
        label=_("Short name"),
        help_text=_("Up to eight letters, for narrow columns."),
        required=False,
        max_length=8,
    )

    def __init__(self, data: Any = None, *, player: Player, **kwargs: Any) -> None:
        known = {"name": player.name, "nickname": player.nickname}
        super().__init__(data, club=player.club, initial=known, **kwargs)
        self.fields["name"].label = pgettext_lazy("person", "Name")
        for field in self.fields.values():
            field.widget.attrs["form"] = "players"  # its input is elsewhere on the page
        self.player = player

    def _write(self, id: UUID | None) -> Player:
        self.player.name = self.cleaned_data["name"]
        self.player.nickname = self.cleaned_data["nickname"]
        return journal.save_player(self.player)
