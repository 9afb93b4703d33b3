"""Where this machine is found by the phones around it."""

from __future__ import annotations

import socket

EVERYWHERE = ("", "0.0.0.0", "::", "[::]")
"""What a server listens on that is reached at each of its addresses."""
ELSEWHERE = ("192.0.2.1", 9)
"""An address of nobody, kept for documentation; only the way there is looked up."""


def own_address() -> str:
    """Return this machine's address in its network, or that of itself alone."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)  # a datagram socket sends nothing by it
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def reached_at(host: str) -> str:
    """Return the address that opens a server which listens on *host*."""
    return own_address() if host in EVERYWHERE else host


def names_of(host: str) -> list[str]:
    """Return the names under which a server that listens on *host* is asked."""
    if host not in EVERYWHERE:
        return [host]
    name = socket.gethostname().lower()
    return [own_address(), name, f"{name.removesuffix('.local')}.local"]
