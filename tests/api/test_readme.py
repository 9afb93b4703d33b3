"""The client in the README does what the README says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ledger.models import Token, Version

README = (Path(__file__).parents[2] / "README.md").read_text()


@pytest.fixture
def client_of_readme():
    example = re.search(r"```python\n(.+?)\n```", README, re.DOTALL)
    return example[1]


@pytest.mark.django_db(transaction=True)
def test_the_readmes_client_records_a_hand(
    client_of_readme, live_server, owner, people, capsys
):
    example = client_of_readme.replace("http://127.0.0.1:8000", live_server.url)
    example = example.replace("kontra_…", Token.make(owner, "readme")[1])

    exec(compile(example, "README.md", "exec"), {})

    assert capsys.readouterr().out.splitlines() == [
        "Bartek: +3",
        "Darek: -3",
        "Ewa: +3",
        "Łucja: -3",
    ]
    assert Version.objects.get().units == 3


def test_the_readmes_client_has_no_more_than_thirty_lines(client_of_readme):
    assert len(client_of_readme.splitlines()) <= 30
