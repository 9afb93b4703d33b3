"""The slip's chips. There are hundreds on a page, so one tag writes a whole rail."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.utils.html import conditional_escape as safe
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from ledger.text.markup import icon
from ledger.views.table.slip.chips import RED_ICONS, Chip, Gap

register = template.Library()


@register.simple_tag
def chips(rail: Iterable[Chip | Gap], type: str) -> SafeString:
    """Write the chips of *rail* as inputs of *type*, and the gaps of who sits out."""
    rests = _("sits out:")
    return mark_safe(
        "".join(
            _chip(cell, type) if isinstance(cell, Chip) else _gap(cell, rests)
            for cell in rail
        )
    )


def _gap(gap: Gap, rests: str) -> str:
    return (
        f'<span class="rests"><span class="only-heard">{safe(rests)} </span>'
        f"{safe(gap.player.name)}</span>"
    )


def _chip(chip: Chip, type: str) -> str:
    own = " own" if chip.own else ""
    return (
        f'<label class="chip{own}"><input type="{type}" name="{safe(chip.name)}"'
        f' value="{safe(chip.value)}"{_state(chip)}>{_face(chip)}</label>'
    )


def _state(chip: Chip) -> str:
    state = " checked" if chip.on else ""
    if chip.why:
        state += " disabled"
    if chip.side:
        state += f' data-side="{chip.side}"'
    if chip.aria_label:
        state += f' aria-label="{safe(chip.aria_label)}"'
    return state


def _face(chip: Chip) -> str:
    red = " red" if chip.icon in RED_ICONS else ""
    sign = icon(chip.icon) if chip.icon else ""
    alone = f'<span class="alone">{safe(chip.alone)}</span>' if chip.alone else ""
    note = f"<small>{safe(chip.note)}</small>" if chip.note else ""
    return f'<span class="face{red}">{sign}{safe(chip.label)}{alone}{note}</span>'
