"""Exports: CSV files (`csv`) and the workbook of a season (`workbook`)."""
