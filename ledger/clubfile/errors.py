"""Errors of a club file, each with the place in the file."""

from __future__ import annotations


class WrongValue(ValueError):
    """A wrong value at a *place* such as `evenings[3].entries[0]`."""

    def __init__(self, says: str, place: str = "") -> None:
        super().__init__(says, place)
        self.says, self.place = says, place

    def __str__(self) -> str:
        return f"{self.place}: {self.says}" if self.place else self.says

    def within(self, place: str) -> WrongValue:
        """Return the error at *place*, unless it has one already."""
        if self.place:
            return self
        return type(self)(self.says, place)


class NameTaken(WrongValue):
    """A user of the file has the name of a user of this installation."""
