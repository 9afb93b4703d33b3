"""Address of the client, behind trusted proxies.

A proxy appends the address of its peer to X-Forwarded-For; anything before that may be
forged. The client is the last address that is no trusted proxy, if the peer is one.
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
    """Set REMOTE_ADDR to the client's address. First in the list of middleware."""

    def answer(request: HttpRequest) -> HttpResponse:
        request.META["REMOTE_ADDR"] = client_address(
            request.META.get("REMOTE_ADDR", ""),
            request.META.get("HTTP_X_FORWARDED_FOR", ""),
            settings.TRUSTED_PROXIES,
        )
        return get_response(request)

    return answer


def client_address(peer: str, forwarded: str, trusted: Sequence[str]) -> str:
    """Return the address of the client; *forwarded* is X-Forwarded-For.

    >>> client_address("127.0.0.1", "10.6.6.6, 192.0.2.7", ["127.0.0.1"])
    '192.0.2.7'
    >>> client_address("192.0.2.7", "10.6.6.6", ["127.0.0.1"])
    '192.0.2.7'
    """
    passed = [*forwarded.split(","), peer] if forwarded else [peer]
    for text in reversed(passed):
        if (address := _parse(text)) is None:
            return peer
        if not _is_trusted(address, trusted):
            return str(address)
    return peer


def _parse(text: str) -> Address | None:
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        return address.ipv4_mapped or address
    return address


def _is_trusted(address: Address, trusted: Sequence[str]) -> bool:
    return any(address in ip_network(network) for network in trusted)
