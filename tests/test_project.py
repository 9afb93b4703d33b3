"""Rules of the project: vendored files, documents, doctests, locks, layers, secrets."""

from __future__ import annotations

import ast
import doctest
import os
import re
import stat
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import pytest
from django.db import ConnectionHandler

from ledger import settings
from ledger.views.files import imports

ROOT = Path(__file__).parent.parent
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
TEXTS = {name: (ROOT / name).read_text() for name in DOCUMENTS}
TRACKED = subprocess.run(
    ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
).stdout.split("\n")[:-1]


def _text(path):
    return path.read_bytes().decode(errors="replace") if path.is_file() else ""


# Vendored files


def test_htmx_is_as_it_was_released():
    at = ROOT / "ledger" / "static" / "ledger" / "htmx"
    pinned = re.search(r"^HTMX := (\S+)$", (ROOT / "Makefile").read_text(), re.M)[1]
    hashes = [line.split() for line in (at / "SHA256SUMS").read_text().splitlines()]

    version = re.search(r'version="(.+?)"', (at / "htmx.min.js").read_text())[1]
    found = [[sha256((at / name).read_bytes()).hexdigest(), name] for _, name in hashes]

    assert re.fullmatch(r"\d+\.\d+\.\d+", pinned)
    assert version == pinned
    assert found == hashes


# The documents


def test_the_readme_begins_with_two_commands():
    blocks = re.findall(r"```sh\n(.+?)\n```", TEXTS["README.md"], re.DOTALL)

    assert [block for block in blocks if block.startswith("make")] == [
        "make run",
        "make test",
    ]


@pytest.mark.parametrize(
    "command", sorted(set(re.findall(r"[`\n](make [a-z]+)", "".join(TEXTS.values()))))
)
def test_a_documented_command_is_in_the_makefile(command):
    dry = subprocess.run(
        [*command.split(), "--dry-run"], cwd=ROOT, capture_output=True, text=True
    )

    assert (dry.returncode, dry.stderr) == (0, "")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_points_to_what_exists(name):
    links = re.findall(r'(?:\]\(|src=")(?!https?:)(.+?)[)"]', TEXTS[name])

    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_has_one_sentence_per_line(name):
    prose = re.sub(r"```.*?```", "", TEXTS[name], flags=re.DOTALL)

    assert [
        line for line in prose.splitlines() if re.search(r"[a-z)*`][.?!] [A-Z]", line)
    ] == []


def test_the_readme_names_every_setting():
    source = (ROOT / "ledger/settings.py").read_text()
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', source))

    named = re.findall(r"`([A-Z_]+)`", TEXTS["README.md"])

    assert set(named) == read


def test_the_proxies_of_the_readme_let_in_what_the_largest_page_takes():
    said = re.findall(
        r"(?:max_size|client_max_body_size) (\d+)(?:MiB|m;)", TEXTS["README.md"]
    )

    assert [int(size) * 2**20 for size in said] == [imports.MOST_REQUEST_BYTES] * 2


def test_the_changelog_has_the_version_or_calls_it_unreleased():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

    heading = re.search(r"^## \[(.+?)\]", TEXTS["CHANGELOG.md"], re.MULTILINE)

    assert heading[1] in ("Unreleased", version)


# Doctests


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in TRACKED
        if re.match(r"ledger/.*\.py$", path) and ">>> " in _text(ROOT / path)
    ],
)
def test_an_example_in_a_docstring_is_true(path):
    module = import_module(
        path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    )

    assert doctest.testmod(module).failed == 0


# The locks


def _locked(name):
    """Return each package's version and how many hashes it has."""
    pins = {}
    for line in (ROOT / name).read_text().splitlines():
        if pin := re.match(r"([\w.-]+)==(\S+)", line):
            package = pin[1]
            pins[package] = (pin[2], 0)
        else:
            assert re.fullmatch(r" +--hash=sha256:[0-9a-f]{64}( \\)?", line), line
            pins[package] = (pins[package][0], pins[package][1] + 1)
    return pins


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_a_lock_pins_everything_by_hash_and_names_no_host(name):
    assert [
        package for package, (_, hashes) in _locked(name).items() if not hashes
    ] == []


def test_development_adds_to_what_runs_and_changes_none_of_it():
    assert (
        _locked("requirements.txt").items() <= _locked("requirements-dev.txt").items()
    )


def test_what_the_project_asks_for_is_locked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["dependency-groups"]

    assert (
        _names(project["project"]["dependencies"]) <= _locked("requirements.txt").keys()
    )
    assert (
        _names(groups["lint"] + groups["test"])
        <= _locked("requirements-dev.txt").keys()
    )


def _names(requirements):
    return {re.match(r"[\w.-]+", requirement)[0] for requirement in requirements}


# The layers


@pytest.mark.parametrize(
    "path", [path for path in TRACKED if re.match(r"scoring/.*\.py$", path)]
)
def test_scoring_needs_only_the_standard_library(path):
    tree = ast.parse((ROOT / path).read_text())

    imported = {name.split(".")[0] for name in _imports(tree)}

    assert imported - sys.stdlib_module_names <= {"scoring"}


def _imports(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


JOURNAL = {"Entry", "Hand", "Line", "Posting", "Version"}
WRITES = {
    "aget_or_create",
    "bulk_create",
    "create",
    "get_or_create",
    "update_or_create",
}


def test_only_the_journal_writes_entries():
    """`writer` does; `clubfile.load` restores the rows of a file, with its help."""
    writer = "ledger/journal/writer.py"
    elsewhere = [
        path
        for path in TRACKED
        if re.match(r"ledger/(?!models/|migrations/).*\.py$", path) and path != writer
    ]

    writers = {
        path: list(_writes(ast.parse((ROOT / path).read_text()))) for path in elsewhere
    }

    assert {path: calls for path, calls in writers.items() if calls} == {}


def _writes(tree):
    """Yield `Entry.objects.create` and its like."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            call = ast.unparse(node.func)
            if node.func.attr in WRITES and call.split(".")[0] in JOURNAL:
                yield call


def test_no_tracked_file_names_a_machine_or_a_package_host():
    private = re.compile(r"/wor[k]/|/tm[p]/|pythonhoste[d]|pypi\.or[g]|debian\.or[g]")

    found = [path for path in TRACKED if private.search(_text(ROOT / path))]

    assert found == []


# Secrets and settings


def test_the_secret_key_is_made_once_and_for_the_owner_only(tmp_path):
    path = tmp_path / "data" / "secret_key"

    with ThreadPoolExecutor(8) as workers:
        keys = set(workers.map(settings._secret_key, [path] * 8))

    assert keys == {path.read_text()}
    assert len(path.read_text()) == 50
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert os.listdir(path.parent) == ["secret_key"]


def test_a_given_secret_key_leaves_no_file(tmp_path):
    given = os.environ | {"DATA_DIR": str(tmp_path / "data"), "SECRET_KEY": "given"}

    subprocess.run(
        [sys.executable, "-c", "import ledger.settings"],
        env=given,
        cwd=ROOT,
        check=True,
    )

    assert not (tmp_path / "data").exists()


def test_sqlite_keeps_the_last_hand_at_a_power_cut(tmp_path, django_db_blocker):
    database = settings._database(f"sqlite:///{tmp_path / 'db.sqlite3'}")
    connection = ConnectionHandler({"default": database})["default"]

    with django_db_blocker.unblock(), connection.cursor() as cursor:
        pragmas = [
            cursor.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "busy_timeout")
        ]
    connection.close()

    assert pragmas == ["wal", 2, 60_000]  # 2 is FULL
    assert connection.transaction_mode == "IMMEDIATE"


@pytest.mark.parametrize(
    ("url", "engine"),
    [
        ("postgres://kontra@db.example/kontra", "django.db.backends.postgresql"),
        ("sqlite:///db.sqlite3", "ledger.sqlite"),
    ],
)
def test_connections_are_kept(url, engine):
    database = settings._database(url)

    assert database["ENGINE"] == engine
    assert (database["CONN_MAX_AGE"], database["CONN_HEALTH_CHECKS"]) == (600, True)
