"""Forms of a page, as a phone would send them."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Form:
    action: str
    fields: list = field(default_factory=list)
    """Names and values as they stand."""
    choices: dict = field(default_factory=dict)
    """The values that can be tapped, by the name of the field."""
    buttons: list = field(default_factory=list)

    def value(self, name):
        return next((value for known, value in self.fields if known == name), "")

    def filled(self, **chosen):
        """Return the fields with those *chosen* in the place of what stood there."""
        kept = [(name, value) for name, value in self.fields if name not in chosen]
        return [*kept, *chosen.items()]


class Forms(HTMLParser):
    """The forms of a page that are posted, in order."""

    def __init__(self, page, path):
        super().__init__()
        self.path = path
        self.found = []
        self.open = None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "form":
            self.open = Form(attrs.get("action") or self.path)
            if attrs.get("method", "").lower() == "post":
                self.found.append(self.open)
        elif self.open and "name" in attrs and "disabled" not in attrs:
            self._field(tag, attrs, attrs["name"], attrs.get("value") or "")

    def handle_endtag(self, tag):
        if tag == "form":
            self.open = None

    def _field(self, tag, attrs, name, value):
        if tag == "button":
            self.open.buttons.append((name, value))
        elif tag == "input" and attrs.get("type") in ("radio", "checkbox"):
            self.open.choices.setdefault(name, []).append(value)
            if "checked" in attrs:
                self.open.fields.append((name, value))
        elif tag == "input":
            self.open.fields.append((name, value))


def forms(page, path):
    return Forms(page, path).found
