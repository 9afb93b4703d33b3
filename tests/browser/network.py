"""A bad network between the slip and the server: answers are held, lost, repeated."""

from __future__ import annotations

import re

from playwright.sync_api import Error

TAPS = re.compile(r"/(hands/preview|correct|insert|adjust)/$")
"""Where taps are answered."""


class Network:
    """Holds every answer to a tap on *page* until it is told what becomes of it."""

    def __init__(self, page):
        self.page = page
        self.held = []
        self.given = []
        page.route(TAPS, self._take)

    def _take(self, route):
        if route.request.headers.get("hx-request"):
            self.held.append(route)
        else:
            route.continue_()

    def wait(self, count):
        """Wait until *count* questions are under way."""
        for _moment in range(200):
            if len(self.held) >= count:
                return
            self.page.wait_for_timeout(10)
        raise AssertionError(f"{len(self.held)} questions, {count} expected")

    def answer(self, place=0):
        """Let the server answer the question at *place*."""
        with Gone():
            route = self.held.pop(place)
            response = route.fetch()
            self.given.append(response)
            route.fulfill(response=response)

    def twice(self, place=0):
        """Let the question at *place* reach the server twice."""
        with Gone():
            self.held[place].fetch()
        self.answer(place)

    def repeat(self, place=0):
        """Answer the question at *place* with the last answer that was given."""
        with Gone():
            self.held.pop(place).fulfill(response=self.given[-1])

    def lose(self, place=0):
        with Gone():
            self.held.pop(place).abort()

    def fail(self, place=0, status=502):
        with Gone():
            self.held.pop(place).fulfill(status=status, body="<h1>Bad gateway</h1>")

    def keep_waiting(self, place=0):
        """Leave the question at *place* without an answer."""


class Gone:
    """Nobody waits for an answer that the page has given up."""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, Error)
