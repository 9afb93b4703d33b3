"""Page of a club's old sheets: uploads, pending ones, and imports."""

from __future__ import annotations

from hashlib import sha256
from typing import Any
from uuid import uuid4

from django import forms
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext_lazy

import scoring
from ledger import journal
from ledger.access import Request, club_of, owner_only
from ledger.imports import bounds, files, pending, templates
from ledger.imports.columns import Mode
from ledger.imports.files import Unreadable
from ledger.models import Action, Club, Member, OldSheet, locks
from ledger.text import amounts
from ledger.text.amounts import typed_stake
from ledger.text.messages import say
from ledger.text.names import tidy
from ledger.views.decorators import large_body, signed_in_form, signed_in_page
from ledger.views.fields import clean_stake, currency_field, stake_field
from ledger.views.game_form import GameForm
from ledger.views.params import id_of

UNPROCESSABLE = 422
MOST_REQUEST_BYTES = 2 * bounds.MOST_BYTES
"""The form itself refuses a file that is smaller than that and still too large."""
MODES = (
    (Mode.HANDS.value, gettext_lazy("Whole hands: contract, declarer, bonuses")),
    (Mode.POINTS.value, gettext_lazy("Points of each player, hand by hand")),
    (Mode.TOTALS.value, gettext_lazy("Only the totals of each evening")),
)


class UploadForm(GameForm):
    mode = forms.ChoiceField(
        label=gettext_lazy("What the sheet contains"),
        choices=MODES,
        widget=forms.RadioSelect,
    )
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy("CSV or XLSX, with a row of headings."),
        widget=forms.ClearableFileInput(
            attrs={"class": "input", "accept": ".csv,.txt,.tsv,.xlsx"}
        ),
    )
    stake = stake_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["currency"] = currency_field(self.initial.get("currency", ""))
        self.content = b""
        self.digest = ""

    def clean(self) -> dict[str, Any]:
        self.cleaned_data["tariff"] = self._tariff()
        self.cleaned_data["stake"] = clean_stake(self)
        return self.cleaned_data

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        data = file.read(bounds.MOST_BYTES + 1)
        try:
            self.content = files.content_of(file.name, data)
            files.grid_of(self.content, {})
        except Unreadable as unreadable:
            raise forms.ValidationError(str(unreadable)) from None
        self.digest = sha256(data).hexdigest()
        return file

    @property
    def choices(self) -> dict[str, Any]:
        chosen = self.cleaned_data
        return {
            "mode": chosen["mode"],
            "variant": chosen["tariff"].variant.id,
            "rules": dict(chosen["tariff"].rules),
            "currency": chosen["currency"],
            "stake": amounts.dump_stake(chosen["stake"]),
        }


def _may_send(request: Request, pk: int) -> bool:
    mine = Member.objects.filter(user=request.user, role=Member.Role.OWNER)
    return mine.filter(club=pk).exists()


@large_body(MOST_REQUEST_BYTES, may_send=_may_send)
@signed_in_form
def imports(request: Request, pk: int) -> HttpResponse:
    club = club_of(request, pk)
    owner_only(club)
    last = club.evenings.shown().select_related("edition").order_by("-date").first()
    initial: dict[str, object] = {"mode": Mode.POINTS.value}
    if last and last.currency:
        initial["currency"] = last.currency
        initial["stake"] = typed_stake(last.per_point, last.currency)
    form = UploadForm(
        request.POST or None,
        request.FILES or None,
        variant=last.edition.variant if last else "",
        rules=last.edition.rules if last else None,
        initial=initial,
    )
    if form.is_bound and form.is_valid():
        if sheet := _store_upload(request, club, form):
            return redirect("import_sheet", sheet.pk)
        form.add_error(None, say(journal.id_conflict().message))
    imported = Action.objects.filter(club=club, kind=Action.Kind.IMPORT)
    page = {
        "club": club,
        "form": form,
        "id": uuid4(),
        "imported": imported.select_related("undone_by", "by").order_by("-number"),
        "waiting": OldSheet.objects.filter(club=club).waiting().only("name"),
        "modes": MODES,
    }
    status = UNPROCESSABLE if form.is_bound else 200
    return render(request, "ledger/files/imports.html", page, status=status)


@transaction.atomic
def _store_upload(request: Request, club: Club, form: UploadForm) -> OldSheet | None:
    """Save the uploaded file, once. None where its id belongs to something else."""
    locks.locked_club(club.pk)
    id = id_of(request)
    if sheet := OldSheet.objects.filter(pk=id).first():
        return sheet if sheet.club_id == club.pk else None
    others = Action.objects.exclude(kind=Action.Kind.IMPORT, club=club)
    if others.filter(pk=id).exists():
        return None
    name = form.cleaned_data["file"].name.replace("\0", "")
    sheet = OldSheet.objects.create(
        id=id,
        club=club,
        name=tidy(name)[:200],
        digest=form.digest,
        content=form.content,
        choices=form.choices,
        uploaded_by=request.user,
    )
    pending.drop_expired(club, request.user)
    return sheet


@signed_in_page
def example(request: Request, pk: int, mode: str, kind: str) -> HttpResponse:
    """Blank sheet of a mode, with an example."""
    club_of(request, pk)
    game = request.GET.get("game", "")
    if mode not in {m.value for m in Mode} or kind not in ("csv", "xlsx"):
        raise Http404
    game = game if game in scoring.VARIANTS else next(iter(scoring.VARIANTS))
    make, of = (
        (templates.csv, "text/csv; charset=utf-8")
        if kind == "csv"
        else (
            templates.xlsx,
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        )
    )
    answer = HttpResponse(make(Mode(mode), game), content_type=of)
    name = f"kontra-{mode}.{kind}"
    answer["Content-Disposition"] = content_disposition_header(True, name)
    return answer
