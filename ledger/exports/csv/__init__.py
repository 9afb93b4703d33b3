"""CSV files: hands, lines, postings, players, seats and debts.

`files.CSV_FILES` lists them; each yields its rows for an `ExportScope`, and `writer`
encodes rows in a dialect.
"""

from __future__ import annotations
