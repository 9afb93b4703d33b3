"""Long work: done apart, told how far it is, private, and gone after a day."""

from __future__ import annotations

import os
import signal
import time
from uuid import uuid4

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import translation

from ledger import jobs
from ledger.jobs import Outcome, State, Status
from ledger.models import Club

DAY_AND_A_BIT = 25 * 3600


@pytest.fixture(autouse=True)
def data(settings, tmp_path, monkeypatch):
    """Keep the jobs of a test to itself, also before another process."""
    settings.DATA_DIR = tmp_path
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def apart(settings, monkeypatch):
    """Let a process of its own do the work, on the database of the test."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        url = f"sqlite:///{name}"
    else:
        url = f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{name}"
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.setenv("PYTHONPATH", ".")
    settings.JOBS_APART = True


def count(job):
    """Write down whom the club has, and how far that is."""
    names = Club.objects.get(pk=job.club).players.values_list("name", flat=True)
    for done, name in enumerate(names, start=1):
        job.tell(done, len(names))
        with job.result.open("a") as file:
            file.write(f"{name} {translation.get_language()}\n")
    return Outcome(file="Kluczbork ł.txt")


def lead_on(job):
    return Outcome(page=reverse("club", args=[job.club]))


def refuse(job):
    raise jobs.Stopped(f"Not with {job.asked['hands']} hands.")


def break_down(job):
    raise ZeroDivisionError


def dawdle(job):
    (job.folder / "pid").write_text(str(os.getpid()))
    job.tell(3, 10)
    time.sleep(60)


def begun(work, user, club, **asked):
    return jobs.start(work, title="All hands", user=user, club=club, asked=asked)


def page_of(job):
    return reverse("job", args=[job.id])


def test_what_was_made_is_fetched_from_its_page(as_, member, club, people):
    with translation.override("pl"):
        job = begun(count, member, club)

    page = as_(member).get(page_of(job)).content.decode()
    answer = as_(member).get(reverse("job_file", args=[job.id]))

    assert reverse("job_file", args=[job.id]) in page
    assert b"".join(answer)[:16] == b"Ania pl\nBartek p"
    assert "Kluczbork%20%C5%82.txt" in answer["Content-Disposition"]


def test_only_who_started_it_sees_it_and_only_while_he_belongs_to_the_club(
    as_, owner, member, stranger, club
):
    job = begun(lead_on, member, club)
    places = [page_of(job), reverse("job_file", args=[job.id])]

    found = [as_(user).get(place) for user in (owner, stranger) for place in places]
    club.members.filter(user=member).delete()
    found += [as_(member).get(place) for place in places]

    assert [answer.status_code for answer in found] == [404] * 6
    assert as_(owner).get(reverse("job", args=[uuid4()])).status_code == 404


def test_work_may_end_at_another_page(as_, member, club):
    job = begun(lead_on, member, club)

    answer = as_(member).get(page_of(job))

    assert (answer.status_code, answer.url) == (302, reverse("club", args=[club.pk]))


def test_work_that_cannot_be_done_says_why(as_, member, club):
    job = begun(refuse, member, club, hands=3)

    page = as_(member).get(page_of(job)).content.decode()

    assert "Not with 3 hands." in page
    assert as_(member).get(reverse("job_file", args=[job.id])).status_code == 404


def test_a_fault_of_ours_is_told_and_hides_nothing(as_, member, club):
    with pytest.raises(ZeroDivisionError):
        begun(break_down, member, club)
    (job,) = jobs._all()

    page = as_(member).get(page_of(job)).content.decode()

    assert jobs.status(job) == Status(State.BROKEN)
    assert "It was interrupted" in page


def test_what_was_left_alone_for_a_day_is_thrown_away(member, club):
    old, new = begun(lead_on, member, club), begun(refuse, member, club, hands=1)
    long_ago = time.time() - DAY_AND_A_BIT
    os.utime(old.folder, (long_ago, long_ago))

    begun(refuse, member, club, hands=2)

    assert (old.folder.exists(), new.folder.exists()) == (False, True)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("apart")
def test_a_process_of_its_own_works_waits_its_turn_and_its_death_is_seen(
    as_, member, club
):
    first = begun(dawdle, member, club)
    until(lambda: jobs.status(first).done == 3)
    second, again = begun(count, member, club), begun(dawdle, member, club)

    told = jobs.status(first), jobs.status(second).state
    page = as_(member).get(page_of(first))
    os.kill(int((first.folder / "pid").read_text()), signal.SIGKILL)
    until(lambda: jobs.status(second).state is State.DONE)

    assert again == first
    assert told == (Status(State.WORKING, 3, 10), State.WAITING)
    assert page["Refresh"] == "2"
    assert '<progress value="3" max="10"' in page.content.decode()
    assert jobs.status(first) == Status(State.BROKEN)
    assert "Refresh" not in as_(member).get(page_of(first))


def until(seen):
    for _again in range(600):
        if seen():
            return
        time.sleep(0.05)
    raise AssertionError("it never came")
