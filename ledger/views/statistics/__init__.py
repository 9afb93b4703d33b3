"""Statistics pages: season, player, club, and the drill-down to hands.

Each page reads its filters from the address (`filters`), then one report of
`ledger.statistics`.
"""

from __future__ import annotations
