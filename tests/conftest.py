"""Settings and fixtures of all tests; named ones are in `tests.support.fixtures`."""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings
from django.db import connection
from django.test import TransactionTestCase
from django.utils import translation

from ledger.models import triggers

pytest_plugins = ["tests.support.fixtures"]

# Time limits in tests fail on busy machines; slowness is `make bench`'s business.
hypothesis.settings.register_profile(
    "kontra",
    deadline=None,
    print_blob=True,
    # A red run must come from the change it runs on; KONTRA_RANDOM=1 looks further.
    derandomize="KONTRA_RANDOM" not in os.environ,
    database=None,
)
hypothesis.settings.load_profile("kontra")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Begin with what takes longest: nobody is to wait for it at the end."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_sessionfinish(session):
    """A skipped test proves nothing: it fails the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(autouse=True)
def _nobody_is_spoken_to_in_the_language_of_an_earlier_test():
    yield
    translation.deactivate()


@pytest.fixture(autouse=True, scope="session")
def _no_job_is_taken_by_a_run_beside_us(tmp_path_factory):
    """It would see nothing of what an open transaction has written."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "DATA_DIR", tmp_path_factory.mktemp("data"))
        yield


@pytest.fixture(autouse=True, scope="session")
def _no_queue_is_left_behind():
    yield
    file = settings.DATABASES["default"]["TEST"]["NAME"]
    Path(f"{file}-queue").unlink(missing_ok=True)


@pytest.fixture(autouse=True, scope="session")
def _empty_the_journal():
    """Lift the guards while the tables are emptied after a test with commits."""
    empty = TransactionTestCase._fixture_teardown

    def lifted(case):
        with triggers.lifted(connection):
            empty(case)
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM kontra_counts")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lifted)
        yield
