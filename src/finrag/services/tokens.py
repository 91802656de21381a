"""Which token goes to which service: names of environment variables, never what they hold."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

SHARED_TOKEN: Final = "FINRAG_SERVICE_TOKEN"

_LOOPBACK: Final = "localhost"


def own_token(system_id: str) -> str:
    """Return the variable for the token of this one system."""
    return f"{SHARED_TOKEN}_{system_id.upper()}"


def token_names(addresses: Mapping[str, str]) -> dict[str, str]:
    """Return the variable that holds the token of each service.

    That of the system alone counts more than the shared one; set to nothing, it sends none. A
    variable that is not set holds no token.

    Args:
        addresses: the address of every service of the build, by system_id.

    Raises:
        ValueError: the shared token would go to several hosts, or a token in plain http over a
            network; the message holds no token.
    """
    hosts = {_host(address) for address in addresses.values()}
    return {
        system_id: _token_name(system_id, address, len(hosts))
        for system_id, address in sorted(addresses.items())
    }


def is_loopback(address: str) -> bool:
    """Whether what is sent to an address stays on this machine; False for a name not known."""
    return _host(address) == _LOOPBACK


def _token_name(system_id: str, address: str, n_hosts: int) -> str:
    own = own_token(system_id)
    name = own if own in os.environ or not _is_set(SHARED_TOKEN) else SHARED_TOKEN
    if not _is_set(name):
        return own
    if name == SHARED_TOKEN and n_hosts > 1:
        raise ValueError(
            f"system {system_id}: {SHARED_TOKEN} is for services of one host, and this build asks "
            f"{n_hosts}; set {own} (empty if it needs no token)"
        )
    if urlsplit(address).scheme != "https" and not is_loopback(address):
        raise ValueError(
            f"system {system_id}: {name} would be sent over plain http, where others can read it; "
            f"give service_url an https address, or set {own} to an empty text if it needs no token"
        )
    return name


def _is_set(name: str) -> bool:
    return bool(os.environ.get(name, "").strip())


def _host(address: str) -> str:
    """Return the host of an address; one name for all the loopback has."""
    host = (urlsplit(address).hostname or "").rstrip(".")
    try:
        return _LOOPBACK if ipaddress.ip_address(host).is_loopback else host
    except ValueError:
        return host
