"""Debts of an evening as pages, the API and files show them, in one form.

A debt is (state, who owes it, who gets it, how much, whether it is open, where it
stands); of what is not carried the last is the evening itself.
"""

from __future__ import annotations

import csv
import html
import io
import re

from django.urls import reverse
from openpyxl import load_workbook

from ledger.exports import workbook

GIVE = re.compile(r'<li class="give (open|paid|carried)">(.*?)</li>', re.S)
NAME = re.compile(r'<span class="name">(.*?)</span>')
AMOUNT = re.compile(r"<b[^>]*>(.*?)</b>")
CARRIED = re.compile(r"carried to ([^:<]+): (still open there|no longer open)")


def on_page(text, evening):
    """Return the debts of an evening's page, or of its card."""
    return sorted(
        _debt(state, row, evening.name)
        for state, row in GIVE.findall(html.unescape(text))
    )


def _debt(state, row, here):
    payer, payee = NAME.findall(row)[:2]
    minor = round(float(re.sub(r"[^\d.]", "", AMOUNT.search(row)[1])) * 100)
    if state != "carried":
        return state, payer, payee, minor, state == "open", here
    where, how = CARRIED.search(row).groups()
    return state, payer, payee, minor, how == "still open there", where


def in_api(told, evening, names):
    """Return the debts of a tally; *names* of players, evenings and seasons by id."""
    return sorted(
        (
            *(debt["state"], names[debt["payer"]], names[debt["payee"]]),
            *(debt["amount"], debt["open"], _where(debt["stands"], names)),
        )
        for debt in told["debts"]
    )


def _where(stands, names):
    if stands["evening"]:
        return names["evening", stands["evening"]]
    if stands["season"]:
        return names["season", stands["season"]]
    return "Everything"


def in_csv(client, club):
    """Return the debts by the name of the evening; outside of all, by the season's."""
    query = "?table=debts&separator=comma&decimal=point"
    answer = client.get(reverse("table_csv", args=[club.pk]) + query)
    text = b"".join(answer.streaming_content).decode()
    rows = csv.DictReader(io.StringIO(text[1:]))
    return _by_evening(
        (row["Evening"], row, row["Money"], row["Open"] == "1") for row in rows
    )


def in_book(season):
    file = io.BytesIO()
    workbook.write(season, file)
    sheet = load_workbook(file, data_only=True)["Who owes whom"]
    _sums, head, *rows = sheet.iter_rows(values_only=True)
    told = (dict(zip(head, row, strict=True)) for row in rows)
    return _by_evening(
        (row["Evening"], row, row["PLN"], row["Open"] == 1)
        for row in told
        if row["State"]
    )


def _by_evening(rows):
    found = {}
    for evening, row, amount, is_open in rows:
        states = {"open": "open", "paid": "paid", "carried over": "carried"}
        debt = (
            *(states[row["State"]], row["Who owes it"], row["Who gets it"]),
            *(round(float(amount) * 100), is_open, row["Where it is recorded"]),
        )
        found.setdefault(evening, []).append(debt)
    return {evening: sorted(debts) for evening, debts in found.items()}
