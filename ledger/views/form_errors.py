"""Errors of a form as its main button lists them, each with a link to its field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.forms import BaseForm, BoundField

from ledger.text.messages import say
from scoring import Refused


@dataclass(frozen=True)
class FormError:
    sentence: str
    label: str = ""
    place: str = ""
    """Id of the field, or of the part of the page, that the error is about."""


def part_error(place: str, sentence: str) -> ValidationError:
    """Return an error about a part of the page that is no field of the form."""
    return ValidationError(sentence, code=f"#{place}")


def form_errors(form: BaseForm) -> Iterator[FormError]:
    """Yield the errors of *form* in the order of its fields."""
    if not form.is_bound:
        return
    for name in [*form.fields, NON_FIELD_ERRORS]:
        for error in form.errors.get_json_data().get(name, ()):
            if name == NON_FIELD_ERRORS:
                yield FormError(error["message"], place=_place(error["code"]))
            else:
                field = form[name]
                yield FormError(error["message"], str(field.label), _input_id(field))


def part_messages(form: BaseForm, place: str) -> list[str]:
    """Return the messages about a part of the page that is no field."""
    errors = form.errors.get_json_data().get(NON_FIELD_ERRORS, ())
    return [error["message"] for error in errors if _place(error["code"]) == place]


def _place(code: str) -> str:
    return code.removeprefix("#") if code.startswith("#") else ""


def _input_id(field: BoundField) -> str:
    """Return the id of the input; that of the first one, if the field has chips."""
    return field.id_for_label or f"{field.auto_id}_0"


def add_problems(form: forms.Form, refused: Refused) -> None:
    """Add the problems to *form*, each at its field where it has one."""
    for problem in refused.problems:
        field = problem.field if problem.field in form.fields else None
        form.add_error(field, say(problem.message))
