"""The API: what the pages do, in JSON, from the same declarations.

A request is authenticated by `tokens` or the session, counted by `throttling` and
parsed by `parsing`. `requests` finds its club, evening, table or hand through
`ledger.access`; a serializer validates the body; a view in `views` makes one call into
the ledger; `responses` and the serializers write the answer. Whatever is raised on the
way becomes a problem detail in `problems`. `schema` describes all of it.
"""

from __future__ import annotations
