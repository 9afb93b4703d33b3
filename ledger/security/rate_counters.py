"""Counts shared by all processes that serve: wrong passwords, requests of programs.

A count has a key, runs out by itself, and is kept without a word of the request. A
stranger's keys hold his address, so that they cannot crowd out those of anybody else;
none is dropped before it has run out.

On SQLite the counts lie in a file of their own: a stranger who is counted must not
stand in the queue of those who record hands. On PostgreSQL all hosts share them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv6Network, ip_address

from django.conf import settings
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils.crypto import salted_hmac

COUNT = """
INSERT INTO kontra_counts AS c (key, number, latest, until) VALUES (%s, 1, %s, %s)
ON CONFLICT (key) DO UPDATE SET latest = excluded.latest,
number = CASE WHEN c.until > excluded.latest THEN c.number + 1 ELSE 1 END,
until = CASE WHEN c.until > excluded.latest
THEN c.until ELSE excluded.until END
"""
READ = "SELECT number, latest, until FROM kontra_counts WHERE key = %s AND until > %s"
HOME = 64
"""Bits of an IPv6 address that a household has; the rest it chooses by itself."""


@dataclass(frozen=True, slots=True)
class Count:
    number: int = 0
    latest: int = 0
    until: int = 0
    """When it runs out; like *latest* in seconds of the epoch."""


def key(scope: str, *parts: str) -> str:
    """Return the key for *parts*, in which nobody can read them."""
    return salted_hmac(scope, "\0".join(parts), algorithm="sha256").hexdigest()


def origin(address: str) -> str:
    """Return what counts as one place: an address, of IPv6 the network around it.

    >>> origin("192.0.2.7"), origin("2001:db8::7:8:9"), origin("")
    ('192.0.2.7', '2001:db8::/64', '')
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return str(found)
    return str(IPv6Network((int(found), HOME), strict=False))


def now() -> int:
    return int(time.time())


def read(key: str) -> Count:
    with _counts().cursor() as cursor:
        cursor.execute(READ, [key, now()])
        return Count(*cursor.fetchone() or ())


def add(key: str, *, within: int) -> Count:
    """Add one, atomically; the count runs out *within* seconds of its first."""
    at = now()
    with transaction.atomic(using=settings.COUNTS), _counts().cursor() as cursor:
        cursor.execute(COUNT, [key, at, at + within])
        cursor.execute(READ, [key, at])
        count = Count(*cursor.fetchone())
        if count.number == 1:
            cursor.execute("DELETE FROM kontra_counts WHERE until <= %s", [at])
    return count


def forget(keys: Iterable[str]) -> None:
    with _counts().cursor() as cursor:
        cursor.executemany(
            "DELETE FROM kontra_counts WHERE key = %s", [[k] for k in keys]
        )


def _counts() -> BaseDatabaseWrapper:
    return connections[settings.COUNTS]
