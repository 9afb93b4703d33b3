"""The forms of every page but the slip. What was typed is kept when it is refused."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, UsernameField
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from ledger import journal
from ledger.models import Club, Player
from ledger.table.rotation import FEWEST_SEATS, MOST_SEATS
from ledger.text import amounts, dates
from ledger.text.messages import say
from ledger.text.names import has_letter, tidy
from ledger.text.parsing import whole_number
from ledger.views.form_errors import at
from ledger.views.game_form import GameForm
from scoring import Refused

CURRENCIES = ("", "PLN", "EUR", "HUF", "CZK", "CHF", "RON")
"""Offered as chips; "" is a game for points only."""


def text_box(**attrs: str) -> forms.TextInput:
    return forms.TextInput(attrs={"class": "input", **attrs})


class NameField(forms.CharField):
    """A typed name: tidied, and refused where there is nothing to read."""

    default_error_messages = {"unreadable": _("Enter a name with a letter or a digit.")}

    def __init__(self, *, max_length: int, **kwargs: Any) -> None:
        kwargs.setdefault("widget", text_box(autocomplete="off", enterkeyhint="done"))
        super().__init__(max_length=max_length, **kwargs)

    def clean(self, value: Any) -> str:
        name: str = super().clean(value)
        if name and not has_letter(name):
            raise ValidationError(self.error_messages["unreadable"], code="unreadable")
        return name

    def to_python(self, value: Any) -> str:
        return tidy(super().to_python(value) or "")


def add_problems(form: forms.Form, refused: Refused) -> None:
    """Let *form* say why what it was sent for was refused."""
    for problem in refused.problems:
        field = problem.field if problem.field in form.fields else None
        form.add_error(field, say(problem.message))


def password_field(label: Any, autocomplete: str, **more: Any) -> forms.CharField:
    """Return a field for a password; one longer than this is refused unread."""
    attrs = {"class": "input", "autocomplete": autocomplete}
    return forms.CharField(
        label=label,
        strip=False,
        max_length=1024,
        widget=forms.PasswordInput(attrs=attrs),
        **more,
    )


class SignInForm(AuthenticationForm):
    """What is too long for a name or a password is refused before it is looked at."""

    username = UsernameField(
        max_length=150,
        widget=forms.TextInput(attrs={"class": "input", "autofocus": True}),
    )
    password = password_field(
        AuthenticationForm.base_fields["password"].label, "current-password"
    )


class ClubForm(forms.Form):
    name = NameField(
        label=_("Name of the club"),
        max_length=80,
        widget=text_box(autocomplete="off"),
    )
    language = forms.ChoiceField(
        choices=settings.LANGUAGES, widget=forms.RadioSelect, label=_("Language")
    )


class NewPlayerForm(forms.Form):
    """A name is enough."""

    name = NameField(label=_("New player"), max_length=60)

    def __init__(self, data: Any = None, *, club: Club, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.club = club
        self.player = Player(club=club)

    def saved(self, id: UUID | None = None) -> Player | None:
        """Return who is kept now, or None and what is wrong beside the field."""
        if not self.is_valid():
            return None
        try:
            return self._keep(id)
        except Refused as refused:
            self.add_error("name", [say(p.message) for p in refused.problems])
            return None

    def _keep(self, id: UUID | None) -> Player:
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
            field.widget.attrs["form"] = "players"  # it stands elsewhere on the page
        self.player = player

    def _keep(self, id: UUID | None) -> Player:
        self.player.name = self.cleaned_data["name"]
        self.player.nickname = self.cleaned_data["nickname"]
        return journal.save_player(self.player)


@dataclass(frozen=True)
class ChosenTariff:
    """One row of the seating: a player, and whether he plays and deals first."""

    player: Player
    plays: bool
    deals: bool


class SeatingForm(GameForm):
    """Who sits where, who deals first, and which game by which rules."""

    new_player = forms.CharField(
        label=_("New player"),
        required=False,
        max_length=60,
        widget=text_box(autocomplete="off", enterkeyhint="done"),
    )

    def __init__(
        self,
        data: Any = None,
        *,
        club: Club,
        people: Sequence[Player],
        seated: Sequence[int] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(data, **kwargs)
        self.club = club
        self.people = {player.pk: player for player in people}
        self.seated = self._listed("player") if self.is_bound else list(seated)
        self.order = self._order(self._listed("order") if self.is_bound else seated)
        self.dealer = next(iter(self._listed("dealer")), None)
        self.new_player_errors: Sequence[str] = ()
        self.seat_errors: list[str] = []

    @property
    def rows(self) -> list[ChosenTariff]:
        """Return everybody: who plays in seat order, then who does not."""
        rows = [
            ChosenTariff(self.people[pk], pk in self.seated, pk == self.dealer)
            for pk in self.order
        ]
        return sorted(rows, key=lambda row: not row.plays)

    @property
    def seats(self) -> list[Player]:
        return [row.player for row in self.rows if row.plays]

    def seat(self, player: Player) -> None:
        """Seat a new player behind the others."""
        if isinstance(self.data, QueryDict):
            self.data = self.data.copy()
            self.data["new_player"] = ""
        self.people[player.pk] = player
        self.order = [row.player.pk for row in self.rows if row.plays] + [player.pk]
        self.order = self._order(self.order)
        self.seated.append(player.pk)

    def move(self, pk: int, step: int) -> None:
        """Move somebody one seat up or down."""
        sitting = [player.pk for player in self.seats]
        if pk in sitting:
            place = sitting.index(pk)
            other = min(max(place + step, 0), len(sitting) - 1)
            sitting[place], sitting[other] = sitting[other], sitting[place]
        self.order = self._order(sitting)

    def seating(self) -> tuple[list[Player], Player]:
        """Return who sits at the table, in order, and who deals first."""
        assert self.dealer is not None
        return self.seats, self.people[self.dealer]

    def clean(self) -> dict[str, Any]:
        self.seat_errors = list(self._wrong_seats())
        for error in self.seat_errors:
            self.add_error(None, at("people", error))
        if "new_player" not in self.errors:
            for error in self.new_player_errors:
                self.add_error("new_player", error)
        self.cleaned_data["tariff"] = self._tariff()
        return self.cleaned_data

    def _wrong_seats(self) -> Iterable[str]:
        count = len(self.seats)
        if not FEWEST_SEATS <= count <= MOST_SEATS:
            message = ngettext(
                "Four to six people sit at a table: {count} is chosen.",
                "Four to six people sit at a table: {count} are chosen.",
                count,
            )
            yield message.format(count=count)
        if self.dealer not in self.seated:
            yield gettext("Choose who deals the first hand.")

    def _listed(self, name: str) -> list[int]:
        posted = self.data.getlist(name) if isinstance(self.data, QueryDict) else []
        asked = dict.fromkeys(map(whole_number, posted))
        return [pk for pk in asked if pk is not None and pk in self.people]

    def _order(self, first: Iterable[int]) -> list[int]:
        known = (pk for pk in first if pk in self.people)
        return list(dict.fromkeys([*known, *self.people]))


def currency_field(usual: str = "") -> forms.ChoiceField:
    offered = dict.fromkeys([*CURRENCIES, usual])
    return forms.ChoiceField(
        label=_("Played for"),
        required=False,
        widget=forms.RadioSelect,
        choices=[(code, code or _("points only")) for code in offered],
    )


def stake_field() -> forms.CharField:
    return forms.CharField(
        label=_("Stake per point"),
        required=False,
        max_length=40,
        widget=text_box(inputmode="decimal", autocomplete="off"),
    )


def stake_of(form: forms.Form) -> amounts.Stake:
    """Return what a point is worth as typed, or let *form* say what is wrong."""
    currency = form.cleaned_data.get("currency", "")
    if not currency:
        return 0
    try:
        return amounts.parse_stake(form.cleaned_data.get("stake", ""), currency)
    except amounts.AmountError as unclear:
        form.add_error("stake", str(unclear))
        return 0


def day_field(
    label: Any,
    wrong: Callable[[datetime.date], None] = dates.likely,
    *,
    required: bool = True,
) -> forms.DateField:
    """Return a field for a day; *wrong* refuses those that nobody means."""
    typed = {"class": "input", "type": "date", "min": dates.EARLIEST.isoformat()}
    return forms.DateField(
        label=label,
        required=required,
        validators=[wrong],
        widget=forms.DateInput(attrs=typed, format="%Y-%m-%d"),
    )


class EveningForm(SeatingForm):
    name = NameField(label=_("Name"), max_length=80, widget=text_box())
    date = day_field(_("Date"), dates.played)
    stake = stake_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["currency"] = currency_field(self.initial.get("currency", ""))

    def clean(self) -> dict[str, Any]:
        super().clean()
        self.cleaned_data["stake"] = stake_of(self)
        return self.cleaned_data
