"""Whose request it is: the address behind a proxy that is trusted, else the peer's.

A proxy adds at the end of X-Forwarded-For from whom it got the request; what stands in
front was sent by anybody. So the last address that is no trusted proxy is taken, and
only where the peer is one. Whatever asks for REMOTE_ADDR afterwards gets that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest, HttpResponse

Address = IPv4Address | IPv6Address


def middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Make REMOTE_ADDR true; it stands first."""

    def answer(request: HttpRequest) -> HttpResponse:
        request.META["REMOTE_ADDR"] = client(
            request.META.get("REMOTE_ADDR", ""),
            request.META.get("HTTP_X_FORWARDED_FOR", ""),
            settings.TRUSTED_PROXIES,
        )
        return get_response(request)

    return answer


def client(peer: str, forwarded: str, trusted: Sequence[str]) -> str:
    """Return the address of who asked.

    >>> client("127.0.0.1", "10.6.6.6, 192.0.2.7", ["127.0.0.1"])
    '192.0.2.7'
    >>> client("192.0.2.7", "10.6.6.6", ["127.0.0.1"])
    '192.0.2.7'
    """
    passed = [*forwarded.split(","), peer] if forwarded else [peer]
    for text in reversed(passed):
        if (address := _read(text)) is None:
            return peer
        if not _is_trusted(address, trusted):
            return str(address)
    return peer


def _read(text: str) -> Address | None:
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        return address.ipv4_mapped or address
    return address


def _is_trusted(address: Address, trusted: Sequence[str]) -> bool:
    return any(address in ip_network(network) for network in trusted)
