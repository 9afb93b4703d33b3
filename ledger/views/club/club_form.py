"""Form of a club: its name and language."""

from __future__ import annotations

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from ledger.views.fields import NameField, text_box


class ClubForm(forms.Form):
    name = NameField(
        label=_("Name of the club"),
        max_length=80,
        widget=text_box(autocomplete="off"),
    )
    language = forms.ChoiceField(
        choices=settings.LANGUAGES, widget=forms.RadioSelect, label=_("Language")
    )
