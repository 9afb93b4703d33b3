"""Database backend: SQLite with persistent connections and a queue of writers."""
