"""File pages: downloads, season workbook, old sheets, jobs."""

from __future__ import annotations
