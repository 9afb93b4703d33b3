"""Network addresses of this machine, as phones around it reach it."""

from __future__ import annotations

import socket

ALL_INTERFACES = ("", "0.0.0.0", "::", "[::]")
"""Hosts that stand for all interfaces."""
PROBE_ADDRESS = ("192.0.2.1", 9)
"""An address reserved for documentation: only the route to it is looked up."""


def own_address() -> str:
    """Return this machine's address in its network, or the loopback address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(PROBE_ADDRESS)  # a datagram socket sends nothing by it
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def reachable_host(host: str) -> str:
    """Return the address at which a server on *host* is reached."""
    return own_address() if host in ALL_INTERFACES else host


def host_names(host: str) -> list[str]:
    """Return the host names that requests to a server on *host* may have."""
    if host not in ALL_INTERFACES:
        return [host]
    name = socket.gethostname().lower()
    return [own_address(), name, f"{name.removesuffix('.local')}.local"]
