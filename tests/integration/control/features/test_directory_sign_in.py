"""The password of a directory (a real OpenLDAP server) opens the account of the same name, and nothing else does."""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.integration.control.platform.test_session import add_user
from tests.servers.openldap import BASE, READER, READER_PASSWORD, OpenLdapServer
from tests.support.authenticator import code_of
from tests.support.certificate import self_signed
from tests.support.control_plane import ADMIN_PASSWORD, ControlPlane, control_plane
from zcbus.control.features.account import directory
from zcbus.control.features.account.errors import DirectoryUnavailableError
from zcbus.control.platform.attempts import PER_ACCOUNT_AND_ORIGIN
from zcbus.control.store.tables import identity
from zcbus.control.store.tables.audit import audit_record
from zcbus.kit.settings import load_settings

LOGIN = "sys/authentication/login"
PASSWORD = "Of-the-directory-7"

Answer = dict[str, Any]


@pytest.fixture(scope="module")
def server() -> Iterator[OpenLdapServer]:
    running = OpenLdapServer()
    try:
        for name in ("olga", "admin", "stranger", "o*ga", "(olga)", "back\\slash", "Ölga"):
            running.add_person(name, PASSWORD, entry=f"entry of {re.sub(r'[^A-Za-z]', '-', name)}")
        for entry in ("twin one", "twin two"):
            running.add_person("twin", PASSWORD, entry=entry)
        running.add_person("guest", PASSWORD, kind="guest")
        yield running
    finally:
        running.remove()


def settings_of(server: OpenLdapServer, **changed: str) -> dict[str, str]:
    settings = {
        "ldap_url": f"ldaps://127.0.0.1:{server.tls_port}",
        "ldap_bind_dn": READER,
        "ldap_bind_password": READER_PASSWORD,
        "ldap_base": BASE,
        "ldap_filter": "(employeeType=staff)",
        "ldap_name": "House directory",
        "tls_trusted": str(server.certificate),
    }
    return settings | changed


@pytest.fixture
def plane(server: OpenLdapServer, prepared_store: str, tmp_path: Path) -> Iterator[ControlPlane]:
    """A control plane with a directory; `olga` has an account."""
    with control_plane(tmp_path, prepared_store, **settings_of(server)) as running:
        add_user(running, "olga")
        yield running


def login(plane: ControlPlane, name: str, password: str = PASSWORD) -> Answer:
    answer: Answer = plane.post(LOGIN, {"userName": name, "password": password}).json()
    return answer


def error_of(answer: Answer) -> tuple[int, str]:
    return answer["code"], answer["data"]["error"]


WRONG = (40106, "credentials-wrong")


def test_the_directorys_password_opens_the_account_of_the_same_name(plane: ControlPlane) -> None:
    assert plane.get("sys/authentication/methods").json()["data"]["directory"] == "House directory"
    answer = login(plane, "olga")
    assert answer["code"] == 200, answer
    assert plane.get("auth/info", answer["data"]["token"]).json()["data"]["user"]["userName"] == "olga"
    with plane.services.database.read() as connection:
        record = connection.execute(audit_record.select().order_by(audit_record.c.id.desc())).first()
    assert record is not None
    assert (record.user_name, record.result, record.after) == (
        "olga",
        "done",
        {"userName": "olga", "proof": "directory"},
    )
    assert PASSWORD not in str(record)


def test_the_platforms_own_password_stays_good_also_while_the_directory_is_away(
    plane: ControlPlane, server: OpenLdapServer
) -> None:
    assert login(plane, "olga", ADMIN_PASSWORD)["code"] == 200
    server.stop()
    try:
        assert login(plane, "olga", ADMIN_PASSWORD)["code"] == 200
        assert login(plane, "admin", ADMIN_PASSWORD)["code"] == 200
        away = login(plane, "olga")
        assert error_of(away) == (300, "directory-unavailable")
        assert error_of(login(plane, "nobody")) == (300, "directory-unavailable")
    finally:
        server.start()
    assert login(plane, "olga")["code"] == 200


def confirms(server: OpenLdapServer, name: str, password: str = PASSWORD, **changed: str) -> bool:
    """What the directory says, without a control plane."""
    settings = load_settings({f"ZCBUS_{key.upper()}": value for key, value in settings_of(server, **changed).items()})
    assert settings.ldap is not None
    return directory.confirms(settings.ldap, settings.tls.trusted, name, password)


def test_wrong_passwords_open_nothing(plane: ControlPlane, server: OpenLdapServer) -> None:
    for password in ("wrong", PASSWORD.lower(), PASSWORD + " "):
        assert error_of(login(plane, "olga", password)) == WRONG
    assert not any(confirms(server, "olga", password) for password in ("*", "\0", PASSWORD + "\0", " "))


def test_an_empty_password_is_never_asked_for(server: OpenLdapServer) -> None:
    # The server takes a name without a password, as anonymous.
    before = server.log().count("BIND")
    assert not confirms(server, "olga", "")
    assert not confirms(server, "", PASSWORD)
    assert server.log().count("BIND") == before


def test_a_name_is_never_a_pattern_nor_another_spelling(server: OpenLdapServer) -> None:
    assert confirms(server, "olga")
    for name in ("*", "o*", "olga)(uid=*", "*)(uid=olga", "olga\0", "\\6flga", "OLGA", " olga", "olga "):
        assert not confirms(server, name), name


def test_names_may_have_signs_of_filters(server: OpenLdapServer) -> None:
    for name in ("o*ga", "(olga)", "back\\slash", "Ölga"):
        assert confirms(server, name), name


def test_only_one_entry_that_fulfils_the_filter_counts(server: OpenLdapServer) -> None:
    assert not any(confirms(server, name) for name in ("twin", "guest", "absent"))
    assert confirms(server, "guest", ldap_filter="(|(employeeType=staff)(employeeType=guest))")


def test_only_ordinary_enabled_accounts_of_this_platform_are_opened(plane: ControlPlane) -> None:
    assert error_of(login(plane, "admin")) == WRONG
    without = login(plane, "stranger")
    assert error_of(without) == (300, "no-account")
    assert "stranger" in without["message"]
    with plane.services.database.write() as connection:
        connection.execute(identity.user.update().where(identity.user.c.user_name == "olga").values(status="1"))
    assert error_of(login(plane, "olga")) == (300, "account-disabled")


def test_guesses_are_slowed_as_all_are(plane: ControlPlane) -> None:
    answers = [plane.post(LOGIN, {"userName": "olga", "password": f"guess {n}"}) for n in range(6)]
    assert [answer.status_code for answer in answers] == [200] * PER_ACCOUNT_AND_ORIGIN.free + [429]
    assert plane.post(LOGIN, {"userName": "olga", "password": PASSWORD}).status_code == 429


def test_the_second_factor_is_asked_for_and_no_change_of_a_password_that_was_not_used(plane: ControlPlane) -> None:
    with plane.services.database.write() as connection:
        whose = identity.user.c.user_name == "olga"
        connection.execute(identity.user.update().where(whose).values(must_change_password=True))
    token = login(plane, "olga")["data"]["token"]
    offer = plane.post("account/second-factor/begin", token=token).json()["data"]
    body = {"handle": offer["handle"], "code": code_of(offer["secret"], plane.clock.now())}
    assert plane.post("account/second-factor/on", {**body, "currentPassword": "wrong"}, token).json()["code"] == 300
    turned_on = plane.post("account/second-factor/on", {**body, "currentPassword": PASSWORD}, token).json()
    assert turned_on["code"] == 200, turned_on
    asked = login(plane, "olga")
    assert asked["code"] == 40201
    answer = plane.post(
        "sys/authentication/login/second-factor",
        {"token": asked["data"]["token"], "code": turned_on["data"]["codes"][0]},
    ).json()
    assert answer["code"] == 200, answer
    # With the password that another user chose, the change is demanded after the code.
    asked = login(plane, "olga", ADMIN_PASSWORD)
    answer = plane.post(
        "sys/authentication/login/second-factor",
        {"token": asked["data"]["token"], "code": turned_on["data"]["codes"][1]},
    ).json()
    assert answer["code"] == 40200


def test_start_tls_comes_before_every_password(server: OpenLdapServer) -> None:
    assert confirms(server, "olga", ldap_url=f"ldap://localhost:{server.port}")
    log = server.log()
    assert "STARTTLS" in log
    # The server refuses (err=13) a bind in clear, and got none.
    assert "err=13" not in log


def test_a_server_that_is_not_proved_gets_no_password(server: OpenLdapServer, tmp_path: Path) -> None:
    other = tmp_path / "other.pem"
    other.write_bytes(self_signed()[0])
    ldaps, ldap = f"127.0.0.1:{server.tls_port}", f"127.0.0.1:{server.port}"
    before = server.log().count("BIND")
    for changed in (
        {"tls_trusted": str(other)},
        {"ldap_url": f"ldap://{ldap}", "tls_trusted": str(other)},
        # A name that the certificate does not have; TLS where there is none, and the reverse.
        {"ldap_url": f"ldaps://127.0.0.2:{server.tls_port}"},
        {"ldap_url": f"ldaps://{ldap}"},
        {"ldap_url": f"ldap://{ldaps}"},
    ):
        with pytest.raises(DirectoryUnavailableError):
            confirms(server, "olga", **changed)
    assert server.log().count("BIND") == before


def test_wrong_settings_are_not_taken_for_wrong_passwords(server: OpenLdapServer) -> None:
    for changed in ({"ldap_bind_password": "wrong"}, {"ldap_base": "dc=absent"}):
        with pytest.raises(DirectoryUnavailableError):
            confirms(server, "olga", **changed)


@pytest.mark.parametrize("scheme", ["ldap", "ldaps"])
def test_a_server_that_says_nothing_is_waited_for_a_while_only(
    scheme: str, server: OpenLdapServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(directory, "_SECONDS", 1)
    with _silent() as port, pytest.raises(DirectoryUnavailableError):
        confirms(server, "olga", ldap_url=f"{scheme}://127.0.0.1:{port}")


@contextmanager
def _silent() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        held: list[socket.socket] = []

        def hold() -> None:
            try:
                while True:
                    held.append(listener.accept()[0])
            except OSError:
                pass

        thread = threading.Thread(target=hold)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
            for one in held:
                one.close()
