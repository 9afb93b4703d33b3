"""Demo data: invented clubs, for a first look, for tests and for measuring.

`evening_files` records the evenings of the fixtures, as `manage.py demo` does.
`play` invents a club of any size, as `manage.py play` does: `spec` says what kind,
`club` has its people and seasons, `evening` plays one evening at its tables, and
`deals` deals and plays the cards of each game, one module a pack.
"""

from __future__ import annotations
