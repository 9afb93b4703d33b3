"""Network addresses and host names of the server."""

from __future__ import annotations

import socket

import pytest

from ledger.network import host_names, own_address, reachable_host


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "[::]", ""])
def test_who_listens_everywhere_is_reached_at_its_own_address(host):
    assert reachable_host(host) == own_address()
    assert own_address() in host_names(host)
    assert socket.gethostname().lower() in host_names(host)
    assert not {"0.0.0.0", "::", "*"} & set(host_names(host))


def test_who_listens_at_one_address_is_reached_there():
    assert reachable_host("192.168.1.5") == "192.168.1.5"
    assert host_names("192.168.1.5") == ["192.168.1.5"]


def test_a_machine_without_a_network_has_itself(monkeypatch):
    def unreachable(*args):
        raise OSError("Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", unreachable)

    assert own_address() == "127.0.0.1"
