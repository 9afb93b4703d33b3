"""A person's password: changed by who knows it, set by who has come by a link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth import authenticate
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.views import PasswordChangeView
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ledger.access import Request
from ledger.models import User
from ledger.views.account.in_turn import InTurn
from ledger.views.fields import password_field

if TYPE_CHECKING:
    Form = SetPasswordForm[User]
else:  # only the stubs know it as generic
    Form = SetPasswordForm


class NewPasswordForm(Form):
    error_messages = {
        "password_mismatch": _(
            "The two new passwords differ: enter the same one twice."
        ),
        "password_incorrect": _("The old password is wrong: enter it again."),
    }

    new_password1 = password_field(
        SetPasswordForm.base_fields["new_password1"].label,
        "new-password",
        help_text=_("At least 8 characters: not only digits, and no common password."),
    )
    new_password2 = password_field(_("New password again"), "new-password")

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request


class ChangePasswordForm(NewPasswordForm, PasswordChangeForm):
    old_password = password_field(
        PasswordChangeForm.base_fields["old_password"].label, "current-password"
    )

    def clean_old_password(self) -> str:
        """Check the old password at the door, which counts wrong ones."""
        name, old = self.user.get_username(), str(self.cleaned_data["old_password"])
        if authenticate(self.request, username=name, password=old) is None:
            message = self.error_messages["password_incorrect"]
            raise ValidationError(message, code="password_incorrect")
        return old


class Password(InTurn, PasswordChangeView):
    """End the person's other sessions; this one stays."""

    request: Request
    template_name = "ledger/account/password.html"
    success_url = reverse_lazy("home")
    http_method_names = ["get", "post"]

    def get_form_class(self) -> type[NewPasswordForm]:
        has_one = self.request.user.has_usable_password()
        return ChangePasswordForm if has_one else NewPasswordForm

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"request": self.request}

    def form_valid(self, form: NewPasswordForm) -> HttpResponse:
        messages.success(self.request, gettext("The password has been saved."))
        return super().form_valid(form)
