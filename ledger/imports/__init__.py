"""Imports: a club's old score sheets, CSV or XLSX, read into evenings of the journal.

A sheet holds whole hands, or points by player and hand, or totals by evening. It is
reviewed before anything is written: each problem stands beside its row, each doubt is
a question to the reader. A review without problems and open questions is applied as
one action of the club, in one transaction, and reverted as one.

The order of reading, each module by the one before it:

1. `files`: bytes of an upload into rows of cells (`reader` in a process of its own,
   `workbook_survey`, `text`, `bounds`), `grid`: rows under their headings.
2. `columns`: the meaning of each column.
3. `cell_values`, `dates`: cells into numbers and dates, rows into evenings.
4. `player_names`: names into players of the club.
5. `hands` with `hand_cells`: rows of whole hands, scored by the rules; or `totals` with
   `running_rows` and `total_questions`: rows of points.
6. `plan`: the evenings that would be made, with problems, warnings and `questions`.
7. `review`: the plan by the choices so far, and what is missing before it is applied.
8. `apply`: the plan written into the journal; `revert`: the entries reversed again.

`templates` are blank sheets to fill in, `pending` drops sheets that nobody applied.
"""

from __future__ import annotations
