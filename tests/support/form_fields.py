"""Fields that a browser sends of an untouched form."""

from __future__ import annotations

from html.parser import HTMLParser


class _Form(HTMLParser):
    def __init__(self, id):
        super().__init__()
        self.id, self.inside, self.select, self.sent = id, False, None, {}

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "form":
            self.inside = given.get("id") == self.id
        if not self.inside:
            return
        name, value = given.get("name"), given.get("value", "")
        if tag == "select":
            self.select = name
        elif tag == "option" and "selected" in given:
            self.sent[self.select] = value
        elif tag == "input" and name and name != "csrfmiddlewaretoken":
            kind = given.get("type", "text")
            if kind not in ("radio", "checkbox") or "checked" in given:
                self.sent[name] = value

    def handle_endtag(self, tag):
        if tag == "form":
            self.inside = False


def fields_of(response, id):
    """Return the fields of the form with this *id* on a page."""
    form = _Form(id)
    form.feed(response.text)
    return form.sent
