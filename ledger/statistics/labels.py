"""Labels of rows in the reader's language, and the order of rows in a figure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

import scoring
from ledger.models import Player
from ledger.statistics.figures import About, Figure
from ledger.text import messages
from ledger.text.names import fold


def name_of(figure: Figure, about: str, people: Mapping[int, Player]) -> str:
    """Return the label of *about*, the subject of a row; "" for none."""
    match figure.about:
        case About.ITEM:
            return item_name(about)
        case About.PLAYER:
            player = people.get(int(about))
            return player.name if player else "?"
        case About.SEAT:
            return seat_name(int(about))
        case About.NOTHING:
            return ""


def game_of(about: str) -> str:
    """Return the name of the game in *about*, the id of a contract or bonus."""
    variant = scoring.VARIANTS.get(about.partition("/")[0])
    return messages.say(scoring.Text(variant.name)) if variant else ""


def item_name(about: str) -> str:
    game, _slash, item = about.partition("/")
    if (variant := scoring.VARIANTS.get(game)) is None:
        return item
    for items in (variant.contract, variant.bonus, variant.ending):
        if item in items:
            return messages.say(scoring.Text(items[item].name))
    return item


def order(figure: Figure, about: str, people: Mapping[int, Player]) -> tuple[int, str]:
    """Return the sort key: items in the order of the variant, players by name."""
    if figure.about is About.ITEM:
        return _place(about), about
    seat = int(about) if figure.about is About.SEAT else 0
    return seat, fold(name_of(figure, about, people))


@cache
def _place(about: str) -> int:
    game, _slash, item = about.partition("/")
    place = 0
    for id, variant in scoring.VARIANTS.items():
        for items in (variant.contract, variant.bonus, variant.ending):
            for known in items:
                place += 1
                if (id, known) == (game, item):
                    return place
    return place + 1


def seat_name(seat: int) -> str:
    """Return the name of a place in the order of play, 0 for forehand."""
    names = (
        pgettext("seat", "forehand"),
        pgettext("seat", "second"),
        pgettext("seat", "third"),
        pgettext("seat", "fourth"),
        pgettext("seat", "fifth"),
    )
    return names[seat] if seat < len(names) else _("seat {number}").format(number=seat)


def sign_name(sign: int) -> str:
    """Return the label of a streak with this sign."""
    return (_("in profit"), _("at a loss"), _("level"))[(1, -1, 0).index(sign)]
