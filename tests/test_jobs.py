"""Jobs: run in a worker, with progress, private, deleted after a day."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone, translation

from ledger import jobs
from ledger.jobs import JobOutcome, JobState, JobStatus
from ledger.models import Club, User
from ledger.views.files import season_workbook

DAY_AND_A_BIT = 25 * 3600
NOW = timezone.now()


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
        job.report_progress(done, len(names))
        with job.result.open("a") as file:
            file.write(f"{name} {translation.get_language()}\n")
    return JobOutcome(file="Kluczbork ł.txt")


def lead_on(job):
    return JobOutcome(page=reverse("club", args=[job.club]))


def refuse(job):
    raise jobs.JobStopped(f"Not with {job.params['hands']} hands.")


def break_down(job):
    raise ZeroDivisionError


def dawdle(job):
    (job.folder / "pid").write_text(str(os.getpid()))
    job.report_progress(3, 10)
    time.sleep(60)


def begun(work, user, club, **params):
    return jobs.start(work, title="All hands", user=user, club=club, params=params)


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
    (job,) = jobs._all_jobs()

    page = as_(member).get(page_of(job)).content.decode()

    assert jobs.status(job) == JobStatus(JobState.BROKEN)
    assert "It was interrupted" in page


def test_what_was_left_alone_for_a_day_is_thrown_away(member, club):
    old, new = begun(lead_on, member, club), begun(refuse, member, club, hands=1)
    long_ago = time.time() - DAY_AND_A_BIT
    os.utime(old.folder, (long_ago, long_ago))

    begun(refuse, member, club, hands=2)

    assert (old.folder.exists(), new.folder.exists()) == (False, True)


def fill_the_disk(job):
    job.result.symlink_to("/dev/full")
    with job.result.open("w") as file:
        file.write("x" * 10_000)
    return JobOutcome(file="all of it")


def test_work_that_finds_no_room_says_so(as_, member, club):
    job = begun(fill_the_disk, member, club)

    page = as_(member).get(page_of(job)).content.decode()

    assert jobs.status(job).state is JobState.STOPPED
    assert "The server has no room left" in page


@pytest.fixture
def waiting(settings, monkeypatch):
    """Let jobs be put in the queue, where nobody takes them."""
    settings.JOBS_APART = True
    monkeypatch.setattr(jobs, "start_worker", lambda: None)


def folders():
    return sorted(jobs._jobs_folder().glob("*/"))


@pytest.mark.usefixtures("waiting")
def test_one_person_has_so_many_jobs_waiting_and_a_page_says_so(
    as_, owner, member, club, monkeypatch
):
    monkeypatch.setattr(season_workbook, "MOST_HANDS_AT_ONCE", -1)
    seasons = [
        club.seasons.create(name=str(year), starts=f"{year}-01-01", closed_at=NOW)
        for year in range(2000, 2010)
    ]

    answers = [
        as_(member).post(reverse("season_book", args=[season.pk]))
        for season in [*seasons, *seasons]
    ]
    other = as_(owner).post(reverse("season_book", args=[seasons[0].pk]))

    taken = [a.url for a in answers if a.status_code == 302]
    assert len({*taken}) == jobs.MOST_PENDING_EACH
    assert [a.status_code for a in answers[:10]] == [302] * 3 + [429] * 7
    assert [a.status_code for a in answers[10:]] == [302] * 3 + [429] * 7
    assert "You have 3 jobs waiting: wait until one is done." in (
        answers[-1].content.decode()
    )
    assert other.status_code == 302
    assert len(folders()) == jobs.MOST_PENDING_EACH + 1


@pytest.mark.usefixtures("waiting")
def test_so_many_jobs_wait_in_all(club):
    people = [User.objects.create_user(f"player {n}") for n in range(10)]

    told = []
    for n, user in enumerate(people * jobs.MOST_PENDING_EACH):
        try:
            begun(count, user, club, n=n)
        except jobs.TooManyJobs as error:
            told.append(str(error))

    assert len(folders()) == jobs.MOST_PENDING
    assert len(told) == 30 - jobs.MOST_PENDING
    assert set(told) == {
        "Too much work is already waiting: try again in a few minutes."
    }


@pytest.mark.usefixtures("waiting")
def test_the_same_request_from_many_phones_at_once_is_one_job(member, club):
    with ThreadPoolExecutor(16) as phones:
        started = [phones.submit(begun, count, member, club) for _ in range(40)]
        found = {job.result().id for job in started}

    assert len(found) == len(folders()) == 1


def test_who_was_served_longest_ago_is_served_next(owner, member, stranger, club):
    done = jobs._jobs_folder() / "order"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "run_jobs", lambda: None)
        for who, user in (("m", member), ("o", owner), ("s", stranger)):
            for n in range({"m": 3, "o": 2, "s": 1}[who]):
                begun(note, user, club, what=f"{who}{n}")
    jobs.run_jobs()

    assert done.read_text().split() == ["m0", "o0", "s0", "m1", "o1", "m2"]


def note(job):
    with (job.folder.parent / "order").open("a") as file:
        file.write(f"{job.params['what']} ")
    return JobOutcome(page="/")


def test_of_each_person_the_latest_results_are_kept(member, owner, club, monkeypatch):
    first, *_more = [
        begun(count, member, club, n=n) for n in range(jobs.MOST_ENDED_EACH)
    ]
    other = begun(count, owner, club)

    last = begun(count, member, club, n=jobs.MOST_ENDED_EACH)
    begun(count, member, club, n=jobs.MOST_ENDED_EACH + 1)
    kept = len(folders())
    monkeypatch.setattr(jobs, "MOST_BYTES_EACH", 1)
    begun(count, member, club)

    assert (first.folder.exists(), last.folder.exists()) == (False, False)
    assert kept == jobs.MOST_ENDED_EACH + 1 + 1
    assert len(folders()) == 1 + 1 + 1
    assert other.folder.exists()  # the latest stays


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
    until(lambda: jobs.status(second).state is JobState.DONE)

    assert again == first
    assert told == (JobStatus(JobState.WORKING, 3, 10), JobState.WAITING)
    assert page["Refresh"] == "2"
    assert '<progress value="3" max="10"' in page.content.decode()
    assert jobs.status(first) == JobStatus(JobState.BROKEN)
    assert "Refresh" not in as_(member).get(page_of(first))


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("apart")
def test_forty_posts_are_one_process(member, owner, club):
    with ThreadPoolExecutor(8) as phones:
        for user in (member, owner):
            for n in range(20):
                phones.submit(begun, linger, user, club, n=n % 5)
    until(lambda: [job for job in jobs._all_jobs() if job.alive.exists()])

    most = len(processes())
    assert most == 1
    assert len(folders()) == 2 * jobs.MOST_PENDING_EACH
    until(
        lambda: all(jobs.status(job).state is JobState.DONE for job in jobs._all_jobs())
    )
    until(lambda: not processes())


def linger(job):
    assert len(processes()) == 1
    return JobOutcome(page="/")


def processes():
    """Return the processes that do the jobs of this test."""
    here = f"DATA_DIR={jobs._jobs_folder().parent}".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            ours = b"manage.py\0jobs" in (process / "cmdline").read_bytes()
            if ours and here in (process / "environ").read_bytes():
                found.append(process.name)
    return found


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("apart")
def test_what_waits_when_the_server_comes_back_is_taken_as_soon_as_it_is_asked_for(
    as_, member, club
):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "start_worker", lambda: None)
        job = begun(lead_on, member, club)

    until(lambda: as_(member).get(page_of(job)).status_code == 302)

    assert jobs.status(job).state is JobState.DONE


def until(seen):
    for _again in range(600):
        if seen():
            return
        time.sleep(0.05)
    raise AssertionError("it never came")
