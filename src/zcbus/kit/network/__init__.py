"""Connections made on behalf of users: where to, by which route, and what is refused.

`rules` says which addresses are allowed, `route` what a way to a server is made of, `dialling` makes connections by it;
`bastion`, `proxies` and `local_pair` are its parts. `relay` leads libraries there that connect by themselves.
"""

from zcbus.kit.network.dialling import dial, require_target
from zcbus.kit.network.route import Route, RouteFailed
from zcbus.kit.network.rules import AddressRefused, NetworkRules, addresses, use, watch_sockets

__all__ = [
    "AddressRefused",
    "NetworkRules",
    "Route",
    "RouteFailed",
    "addresses",
    "dial",
    "require_target",
    "use",
    "watch_sockets",
]
