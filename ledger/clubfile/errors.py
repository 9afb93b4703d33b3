"""Errors of a club file, each with the place in the file."""

from __future__ import annotations


class WrongValue(ValueError):
    """A wrong value at a *place* such as `evenings[3].entries[0]`."""

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(message, place)
        self.message, self.place = message, place

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message

    def within(self, place: str) -> WrongValue:
        """Return the error at *place*, unless it has one already."""
        if self.place:
            return self
        return type(self)(self.message, place)


class NameTaken(WrongValue):
    """A user of the file has the name of a user of this installation."""
