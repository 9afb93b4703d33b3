"""Old sheets: a club's CSV and XLSX files, read, shown, brought in, taken back.

A sheet tells whole hands, or points per player and hand, or totals per evening. It is
read into a plan with everything that is wrong beside its row; nothing is guessed
without being asked. A plan without problems is written in one transaction, as one
action that is undone as one.
"""

from __future__ import annotations
