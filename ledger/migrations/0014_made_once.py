"""What was made by what was sent, and names of players that differ in more than case."""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps
from django.db.models.functions import Lower

MOST = 60
"""Letters of a name."""
MARK = " ·"
"""What is put behind a name that another has: the second ania is “ania ·”."""


def tell_apart(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Let later ones of a name that differs in case alone be called a little longer."""
    taken: dict[int, set[str]] = {}
    players = apps.get_model("ledger", "Player").objects.order_by("pk")
    for player in players.only("club_id", "name"):
        known = taken.setdefault(player.club_id, set())
        free = _free(player.name, known)
        known.add(free.casefold())
        if free != player.name:
            players.filter(pk=player.pk).update(name=free)


def _free(name: str, known: set[str]) -> str:
    marks = 0
    while (free := name[: MOST - marks * len(MARK)] + MARK * marks).casefold() in known:
        marks += 1
    return free


class Migration(migrations.Migration):
    dependencies = [("ledger", "0013_kept_evenings")]

    operations = [
        migrations.CreateModel(
            name="Receipt",
            fields=[
                ("id", models.UUIDField(primary_key=True, serialize=False)),
                ("kind", models.CharField(max_length=20)),
                ("thing", models.BigIntegerField(null=True)),
            ],
        ),
        migrations.RunPython(tell_apart, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.UniqueConstraint(
                models.F("club"), Lower("name"), name="ledger_player_once_in_any_case"
            ),
        ),
    ]
