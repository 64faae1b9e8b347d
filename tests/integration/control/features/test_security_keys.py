"""Security keys as second factor over HTTP: registered, used, refused, removed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.integration.control.features.test_second_factor import CODE, OWN, REMOVE, Person, records
from tests.integration.control.platform.test_session import add_user
from tests.support.control_plane import ADMIN_PASSWORD, ControlPlane, control_plane
from tests.support.security_key import SoftKey
from zcbus.control.features.second_factor.keys import challenges
from zcbus.control.features.second_factor.keys.registering import KEYS_PER_USER
from zcbus.control.features.session import pending
from zcbus.control.features.session.housekeeping import remove_expired
from zcbus.control.store.tables import identity

ADDRESS = "https://bus.example"
KEY = f"{CODE}/key"

Answer = dict[str, Any]


@pytest.fixture
def plane(prepared_store: str, tmp_path: Path) -> Iterator[ControlPlane]:
    with control_plane(tmp_path, prepared_store, public_address=ADDRESS) as running:
        yield running


class KeyOwner(Person):
    """A person with a security key."""

    def __init__(self, plane: ControlPlane, name: str) -> None:
        super().__init__(plane, name)
        self.key = SoftKey(ADDRESS)

    def call(self, path: str, body: Answer) -> Answer:
        answer: Answer = self.plane.post(path, body, self.token).json()
        return answer

    def add(self, added: SoftKey | None = None, **proof: Any) -> Answer:
        """Register a key, the own one if none is given."""
        begun = self.call(f"{OWN}/key/begin", {"currentPassword": ADMIN_PASSWORD, **proof})
        if begun["code"] != 200:
            return begun
        credential = (added or self.key).register(begun["data"]["options"])
        return self.call(f"{OWN}/key/add", {"name": "Blue", "credential": credential})

    def proof(self) -> Answer:
        return {"key": self.key.sign(self.call(f"{OWN}/key/ask", {})["data"]["options"])}

    def options(self, token: str) -> Answer:
        options: Answer = self.plane.post(f"{KEY}/begin", {"token": token}).json()["data"]["options"]
        return options

    def sign_in(self, token: str, options: Answer) -> Answer:
        return self.use(token, self.key.sign(options))

    def use(self, token: str, answer: Answer) -> Answer:
        given: Answer = self.plane.post(KEY, {"token": token, "key": answer}).json()
        return given

    def enter(self) -> Answer:
        """Sign in with password and key."""
        token = self.pending()
        return self.sign_in(token, self.options(token))

    def state(self) -> Answer:
        state: Answer = self.own("state")["data"]
        return state


@pytest.fixture
def olga(plane: ControlPlane) -> KeyOwner:
    return KeyOwner(plane, "olga")


def fault(answer: Answer) -> str:
    error: str = answer["data"]["error"]
    return error


def test_a_key_alone_turns_it_on_and_signs_in(plane: ControlPlane, olga: KeyOwner) -> None:
    elsewhere = plane.sign_in("olga")
    assert fault(olga.add(currentPassword="Wrong-12345")) == "current-password-wrong"
    added = olga.add()
    assert len(added["data"]["codes"]) == 10
    assert [plane.get("auth/info", token).status_code for token in (olga.token, elsewhere)] == [200, 401]
    state = olga.state()
    assert (state["isOn"], state["hasAuthenticator"], state["keyAddress"]) == (True, False, ADDRESS)
    assert [(key["name"], key["usedAt"], key["isUsable"]) for key in state["keys"]] == [("Blue", None, True)]

    asked = olga.password()
    assert (asked["code"], asked["data"]["secondSteps"]) == (40201, ["security-key"])
    token = asked["data"]["token"]
    assert fault(olga.give(token, "000000")) == "second-factor-wrong"
    answer = olga.sign_in(token, olga.options(token))
    assert (answer["code"], answer["data"]["user"]["userName"]) == (200, "olga")
    assert olga.state()["keys"][0]["usedAt"] is not None
    assert plane.post(f"{KEY}/begin", {"token": token}).json()["code"] == 40107
    last = records(plane, "session_login_key")[-1]
    assert last.after == {"userName": "olga", "secondFactor": "security-key", "key": "Blue"}
    assert olga.give(olga.pending(), added["data"]["codes"][0])["code"] == 200


def test_a_challenge_counts_once_and_for_its_sign_in_alone(plane: ControlPlane, olga: KeyOwner) -> None:
    olga.add()
    token, other = olga.pending(), olga.pending()
    options = olga.options(token)
    assert fault(olga.sign_in(other, options)) == "key-ceremony-over"
    olga.options(other)
    assert fault(olga.sign_in(other, options)) == "key-refused"
    signed = olga.key.sign(options)
    assert olga.use(token, signed)["code"] == 200
    # The same answer again: the sign-in is over, and with another one the challenge is another.
    assert olga.use(token, signed)["code"] == 40107
    third = olga.pending()
    olga.options(third)
    assert fault(olga.use(third, signed)) == "key-refused"
    # What was refused used the challenge up.
    assert fault(olga.use(third, signed)) == "key-ceremony-over"
    plane.clock.advance(pending.LIFETIME)
    remove_expired(plane.services)
    with plane.services.database.read() as connection:
        assert connection.execute(identity.key_challenge.select()).all() == []


def test_a_session_s_proof_is_no_sign_in_and_late_answers_are_none(plane: ControlPlane, olga: KeyOwner) -> None:
    olga.add()
    token = olga.pending()
    olga.options(token)
    assert fault(olga.use(token, olga.proof()["key"])) == "key-refused"
    late = olga.proof()
    plane.clock.advance(challenges.LIFETIME)
    assert fault(olga.own("recovery-codes", **late)) == "key-ceremony-over"
    assert len(olga.own("recovery-codes", **olga.proof())["data"]["codes"]) == 10


def test_a_key_that_counts_backwards_is_refused(olga: KeyOwner) -> None:
    olga.key.count = 7
    olga.add()
    assert olga.enter()["code"] == 200
    olga.key.count = 7
    refused = olga.enter()
    assert (fault(refused), "Blue" in refused["message"]) == ("key-copied", True)
    olga.key.count = None
    assert fault(olga.enter()) == "key-copied"


def test_a_key_that_does_not_count_is_taken(olga: KeyOwner) -> None:
    olga.key.count = None
    olga.add()
    for _ in range(2):
        assert olga.enter()["code"] == 200


def test_others_keys_open_nothing(plane: ControlPlane, olga: KeyOwner) -> None:
    olga.add()
    igor = KeyOwner(plane, "igor")
    igor.add()
    token = olga.pending()
    assert fault(olga.use(token, igor.key.sign(olga.options(token)))) == "key-refused"
    assert fault(igor.add(olga.key, **igor.proof())) == "key-known"
    stranger = olga.state()["keys"][0]["id"]
    assert fault(igor.call(f"{OWN}/key/rename", {"id": stranger, "name": "Mine"})) == "key-gone"
    removal = {"id": stranger, "currentPassword": ADMIN_PASSWORD, **igor.proof()}
    assert fault(igor.call(f"{OWN}/key/remove", removal)) == "key-gone"


def test_a_registration_ends_in_the_session_that_began_it(plane: ControlPlane, olga: KeyOwner) -> None:
    options = olga.call(f"{OWN}/key/begin", {"currentPassword": ADMIN_PASSWORD})["data"]["options"]
    olga.token = plane.sign_in("olga")
    body = {"name": "Blue", "credential": olga.key.register(options)}
    assert fault(olga.call(f"{OWN}/key/add", body)) == "key-ceremony-over"


def test_more_factors_need_a_factor(olga: KeyOwner) -> None:
    olga.turn_on()
    assert fault(olga.add()) == "second-factor-wrong"
    assert olga.add(code=olga.code())["data"]["codes"] == []
    assert fault(olga.add(SoftKey(ADDRESS), **olga.proof(), currentPassword="Wrong-12345")) == "current-password-wrong"
    assert olga.add(SoftKey(ADDRESS), **olga.proof())["code"] == 200
    assert olga.password()["data"]["secondSteps"] == ["authenticator", "security-key"]
    for _ in range(KEYS_PER_USER - 2):
        assert olga.add(SoftKey(ADDRESS), **olga.proof())["code"] == 200
    assert fault(olga.add(SoftKey(ADDRESS), **olga.proof())) == "too-many-keys"


def test_an_authenticator_joins_and_leaves_keys(olga: KeyOwner) -> None:
    olga.add()
    begun = olga.own("begin")["data"]
    olga.secret = begun["secret"]
    first = {"handle": begun["handle"], "code": olga.code()}
    assert fault(olga.own("on", **first)) == "second-factor-on"
    assert olga.own("on", **first, **olga.proof())["data"]["codes"] == []
    assert olga.state()["hasAuthenticator"]
    assert olga.own("authenticator/remove", **olga.proof())["code"] == 200
    assert (olga.state()["isOn"], olga.state()["hasAuthenticator"]) == (True, False)


def test_the_last_factor_goes_only_where_the_tenant_demands_none(plane: ControlPlane, olga: KeyOwner) -> None:
    olga.add()
    olga.add(other := SoftKey(ADDRESS), **olga.proof())
    ids = [key["id"] for key in olga.state()["keys"]]
    assert olga.call(f"{OWN}/key/rename", {"id": ids[1], "name": "Red"})["code"] == 200
    require(plane, "everybody")
    own = {"currentPassword": ADMIN_PASSWORD}
    assert olga.call(f"{OWN}/key/remove", {"id": ids[0], **own, **olga.proof()})["code"] == 200
    olga.key = other
    assert [key["name"] for key in olga.state()["keys"]] == ["Red"]
    last = {"id": ids[1], **own}
    assert fault(olga.call(f"{OWN}/key/remove", {**last, **olga.proof()})) == "second-factor-required-here"
    require(plane, "optional")
    assert fault(olga.call(f"{OWN}/key/remove", {**last, "code": "000000"})) == "second-factor-wrong"
    assert olga.call(f"{OWN}/key/remove", {**last, **olga.proof()})["code"] == 200
    assert (olga.state()["isOn"], olga.password()["code"]) == (False, 200)


def test_who_must_set_one_up_may_take_a_key(plane: ControlPlane, olga: KeyOwner) -> None:
    require(plane, "everybody")
    asked = olga.password()
    assert (asked["code"], asked["data"]["secondSteps"]) == (40202, ["authenticator", "security-key"])
    token = asked["data"]["token"]
    begun = plane.post(f"{KEY}/set-up/begin", {"token": token}).json()["data"]
    credential = olga.key.register(begun["options"])
    body = {"token": token, "key": {"name": "Blue", "credential": credential}}
    answer = plane.post(f"{KEY}/set-up", body).json()
    assert (answer["code"], len(answer["data"]["recoveryCodes"])) == (200, 10)
    # With the password alone no key is added to those that there are.
    token = olga.pending()
    assert fault(plane.post(f"{KEY}/set-up/begin", {"token": token}).json()) == "second-factor-on"


def test_administrators_remove_lost_keys(plane: ControlPlane, olga: KeyOwner) -> None:
    olga.add()
    user_id = plane.get("auth/info", olga.token).json()["data"]["user"]["userId"]
    assert plane.post(REMOVE, {"userId": user_id}, plane.sign_in()).json()["code"] == 200
    assert olga.password()["code"] == 200
    with plane.services.database.read() as connection:
        assert connection.execute(identity.security_key.select()).all() == []


def test_keys_of_another_address_and_none_without_one(prepared_store: str, tmp_path: Path) -> None:
    with control_plane(tmp_path, prepared_store, public_address=ADDRESS) as plane:
        olga = KeyOwner(plane, "olga")
        codes = olga.add()["data"]["codes"]
    with control_plane(tmp_path, prepared_store) as plane:
        olga.plane = plane
        asked = olga.password()
        # The second step is asked for all the same; the recovery code is the way in.
        assert (asked["code"], asked["data"]["secondSteps"]) == (40201, [])
        token = asked["data"]["token"]
        assert fault(plane.post(f"{KEY}/begin", {"token": token}).json()) == "keys-unavailable"
        olga.token = olga.give(token, codes[0])["data"]["token"]
        state = olga.state()
        assert (state["keyAddress"], state["keys"][0]["isUsable"]) == (None, False)
        add_user(plane, "igor")
        body = {"currentPassword": ADMIN_PASSWORD}
        assert fault(plane.post(f"{OWN}/key/begin", body, plane.sign_in("igor")).json()) == "keys-unavailable"


def require(plane: ControlPlane, who: str) -> None:
    with plane.services.database.write() as connection:
        connection.execute(identity.tenant.update().values(second_factor=who))
