"""Files that leave the ledger: tables for spreadsheets, and a whole club."""
