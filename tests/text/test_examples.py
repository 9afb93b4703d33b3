"""Examples in docstrings."""

from __future__ import annotations

import doctest

import pytest

from ledger.settlement import planning, scope
from ledger.text import amounts, markup, names


@pytest.mark.parametrize("module", [amounts, markup, names, planning, scope])
def test_examples_in_docstrings_hold(module):
    found = doctest.testmod(module)

    assert found.failed == 0
    assert found.attempted > 0
