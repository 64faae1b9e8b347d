"""Which addresses may be connected to, and that the checked ones are used."""

import socket
from collections.abc import Iterator

import pytest

from zcbus.kit.gateway_settings import parse_networks
from zcbus.kit.network import AddressRefused, NetworkRules, addresses, dial, use
from zcbus.kit.settings import load_settings


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    yield
    use(NetworkRules())


@pytest.mark.parametrize(
    ("address", "permitted"),
    [
        ("10.1.2.3", True),
        ("2001:db8::1", True),
        ("169.254.169.254", False),
        ("::ffff:169.254.169.254", False),
        ("64:ff9b::a9fe:a9fe", False),
        ("fe80::1%eth0", False),
        ("224.0.0.1", False),
        ("127.0.0.1", False),
        ("127.8.8.8", False),
        ("::1", False),
        ("::ffff:127.0.0.1", False),
        ("0.0.0.0", False),
        ("::", False),
        ("not-an-address", False),
    ],
)
def test_in_a_cluster(address: str, permitted: bool) -> None:
    assert load_settings({"ZCBUS_DEPLOYMENT": "1"}).network.permits(address) is permitted


def test_on_one_host_its_own_address_is_allowed() -> None:
    rules = load_settings({}).network
    assert rules.permits("127.0.0.1")
    assert rules.permits("::1")
    assert not rules.permits("169.254.169.254")


def test_lists() -> None:
    rules = NetworkRules(allow=parse_networks("10.0.0.0/8"), deny=parse_networks("10.9.0.0/16"))
    assert rules.permits("10.1.1.1")
    assert not rules.permits("10.9.1.1")
    assert not rules.permits("192.0.2.1")
    assert not rules.permits("127.0.0.1")


def test_a_container_gets_no_more_than_its_host_allows() -> None:
    host = NetworkRules(
        allow=parse_networks("10.0.0.0/8, 192.0.2.0/24"), deny=parse_networks("10.9.0.0/16"), loopback=False
    )
    container = NetworkRules(allow=parse_networks("10.8.0.0/15, 127.0.0.0/8"), deny=parse_networks("10.8.8.0/24"))
    both = container.within(host)
    assert both.permits("10.8.1.1")
    for refused in ("10.9.1.1", "10.8.8.1", "10.1.1.1", "192.0.2.1", "127.0.0.1"):
        assert not both.permits(refused)
    apart = NetworkRules(allow=parse_networks("192.0.2.0/24")).within(NetworkRules(allow=parse_networks("10.0.0.0/8")))
    assert not apart.permits("192.0.2.1")
    assert not apart.permits("10.0.0.1")
    assert load_settings(both.environment()).network == both


def test_a_name_that_answers_differently_the_next_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checked address is the one that is connected to."""
    answers = iter(["127.0.0.1", "169.254.169.254"])
    real = socket.getaddrinfo

    def rebinding(host: str, *rest: object, **named: object) -> object:
        return real(next(answers) if host == "db.example" else host, *rest, **named)  # type: ignore[arg-type]

    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setattr(socket, "getaddrinfo", rebinding)
        with dial("db.example", server.getsockname()[1], 5) as connection:
            assert connection.getpeername()[0] == "127.0.0.1"
    with pytest.raises(AddressRefused, match=r"169\.254"):
        dial("db.example", 80, 5)


def test_only_allowed_addresses_of_a_name_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, 5432)) for one in ("169.254.1.1", "192.0.2.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    assert addresses("db.example", 5432) == ["192.0.2.1"]
