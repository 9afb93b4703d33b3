"""Django's SQLite, with kept connections and writers that wait in a queue."""
