"""Rate counters shared by all processes: wrong passwords, requests of programs.

A counter has a key, a number and a time at which it expires. Keys are hashes: nothing
of the request is stored. The key of an anonymous request contains its network, so a
stranger cannot use up the limit of anybody else.

On SQLite counters are in a file of their own, so that counting a stranger does not
wait in the queue of those who record hands. On PostgreSQL all hosts share them.
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

INCREMENT_SQL = """
INSERT INTO kontra_counts AS c (key, number, latest, until) VALUES (%s, 1, %s, %s)
ON CONFLICT (key) DO UPDATE SET latest = excluded.latest,
number = CASE WHEN c.until > excluded.latest THEN c.number + 1 ELSE 1 END,
until = CASE WHEN c.until > excluded.latest
THEN c.until ELSE excluded.until END
"""
READ_SQL = (
    "SELECT number, latest, until FROM kontra_counts WHERE key = %s AND until > %s"
)
NETWORK_BITS = 64
"""Bits of an IPv6 address that its network is assigned."""


@dataclass(frozen=True, slots=True)
class Count:
    """State of a counter."""

    number: int = 0
    latest: int = 0
    until: int = 0
    """Time at which it expires; like *latest* in seconds since the epoch."""


def counter_key(scope: str, *parts: str) -> str:
    """Return a hash of *scope* and *parts*."""
    return salted_hmac(scope, "\0".join(parts), algorithm="sha256").hexdigest()


def network_of(address: str) -> str:
    """Return the network of an address: the address itself, of IPv6 its /64.

    >>> network_of("192.0.2.7"), network_of("2001:db8::7:8:9"), network_of("")
    ('192.0.2.7', '2001:db8::/64', '')
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return str(found)
    return str(IPv6Network((int(found), NETWORK_BITS), strict=False))


def now() -> int:
    return int(time.time())


def read(key: str) -> Count:
    with _connection().cursor() as cursor:
        cursor.execute(READ_SQL, [key, now()])
        return Count(*cursor.fetchone() or ())


def increment(key: str, *, within: int) -> Count:
    """Add one, atomically. The counter expires *within* seconds of its first."""
    at = now()
    with transaction.atomic(using=settings.COUNTS), _connection().cursor() as cursor:
        cursor.execute(INCREMENT_SQL, [key, at, at + within])
        cursor.execute(READ_SQL, [key, at])
        count = Count(*cursor.fetchone())
        if count.number == 1:
            cursor.execute("DELETE FROM kontra_counts WHERE until <= %s", [at])
    return count


def delete(keys: Iterable[str]) -> None:
    with _connection().cursor() as cursor:
        cursor.executemany(
            "DELETE FROM kontra_counts WHERE key = %s", [[k] for k in keys]
        )


def _connection() -> BaseDatabaseWrapper:
    return connections[settings.COUNTS]
