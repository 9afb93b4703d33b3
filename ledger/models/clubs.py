"""Clubs: their players, members, seasons, and the tariffs they have played by."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

import scoring
from ledger.text import dates


class Club(models.Model):
    class Method(models.TextChoices):
        FEWEST = "fewest", _("Fewest payments")
        TREASURER = "treasurer", _("Through the treasurer")
        POT = "pot", _("Through the pot")
        HANDS = "hands", _("Cash after each hand")
        CARRY = "carry", _("Carried over to the next evening")

    name = models.CharField(max_length=80)
    language = models.CharField(max_length=8, default="en")
    method = models.CharField(
        max_length=10, choices=Method.choices, default=Method.FEWEST
    )
    """Default method of settlement."""
    treasurer = models.ForeignKey(
        "Player", models.PROTECT, null=True, blank=True, related_name="+"
    )
    rating = models.BooleanField(default=False)
    """Whether the club shows ratings of its players."""
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name


class PlayerQuerySet(models.QuerySet["Player"]):
    def people(self) -> PlayerQuerySet:
        """Return all but the pot."""
        return self.filter(kind=Player.Kind.PERSON)


class Player(models.Model):
    """A player of a club, with or without an account; or the pot of the club.

    The pot takes table money and gives prizes, and never sits at a table.
    """

    class Kind(models.TextChoices):
        PERSON = "person", _("Player")
        POT = "pot", _("Pot")

    club = models.ForeignKey(Club, models.PROTECT, related_name="players")
    name = models.CharField(max_length=60)
    nickname = models.CharField(max_length=20, blank=True, default="")
    retired = models.BooleanField(default=False)
    kind = models.CharField(
        max_length=6, choices=Kind.choices, default=Kind.PERSON, editable=False
    )

    objects = PlayerQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "name"], name="ledger_player_once_per_club"
            ),
            models.UniqueConstraint(
                "club", Lower("name"), name="ledger_player_once_in_any_case"
            ),
            models.UniqueConstraint(
                fields=["club"],
                condition=models.Q(kind="pot"),
                name="ledger_player_one_pot",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_pot(self) -> bool:
        return self.kind == self.Kind.POT


class Member(models.Model):
    """A user's membership in a club, with what he may do there."""

    class Role(models.TextChoices):
        OWNER = "owner", _("Owner")
        SCORER = "scorer", _("Scorer")
        PLAYER = "player", _("Player")

    club = models.ForeignKey(Club, models.PROTECT, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="memberships"
    )
    role = models.CharField(max_length=10, choices=Role.choices)
    player = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="members"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "user"], name="ledger_member_once_per_club"
            )
        ]

    def __str__(self) -> str:
        return str(self.user)


class Season(models.Model):
    club = models.ForeignKey(Club, models.PROTECT, related_name="seasons")
    name = models.CharField(max_length=60)
    starts = models.DateField(validators=[dates.likely])
    closed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class Edition(models.Model):
    """A tariff the club has played by: a variant and its house rules; never changed."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="editions")
    variant = models.CharField(max_length=40)
    rules = models.JSONField(default=dict)
    digest = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "variant", "digest"],
                name="ledger_edition_once_per_club",
            )
        ]

    def __str__(self) -> str:
        return f"{self.variant} {self.pk}"

    @property
    def tariff(self) -> scoring.Tariff:
        return scoring.tariff(self.variant, self.rules)
