"""The worked hands and piles of fixtures/, as parameters of tests."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parents[2] / "fixtures"
PLAYERS = ("A", "B", "C", "D")


def load(path, key="hand"):
    return tomllib.loads((FIXTURES / path).read_text())[key]


def stories(cases):
    return [pytest.param(case, id=case["story"]) for case in cases]


def hands(variant):
    """Return the worked hands of *variant*, each with its variant named."""
    return [{"variant": variant, **hand} for hand in load(f"hands/{variant}.toml")]
