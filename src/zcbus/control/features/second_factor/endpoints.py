"""Calls of two-step verification. Codes and secrets stay out of the operation log."""

from zcbus.control.features.second_factor import own_keys, service
from zcbus.control.features.second_factor.schemas import (
    KeyCeremony,
    KeyRemoval,
    KeyRename,
    NewKey,
    Proof,
    RecoveryCodes,
    SecondFactorState,
    SetUp,
    TurnOn,
)
from zcbus.control.platform.authorisation import signed_in
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.routing import Api

api = Api("second-factor")


@api.read("/api/zcbus/account/second-factor/state", signed_in())
def get_state(call: Call) -> SecondFactorState:
    """Whether the caller signs in with a second factor, and which ones there are."""
    return service.state(call)


@api.read("/api/zcbus/account/second-factor/begin", signed_in())
def begin(call: Call) -> SetUp:
    """A secret for the caller's authenticator; it counts once `on` has its first code."""
    return service.begin(call)


@api.change("/api/zcbus/account/second-factor/on", signed_in(), unit=Unit.OWN)
def turn_on(call: Call, body: TurnOn) -> RecoveryCodes:
    """Turn two-step verification on with an authenticator; ends the caller's other sessions. Answers the recovery
    codes, once. Where it is on with security keys, adds the authenticator."""
    return service.turn_on(call, body)


@api.change("/api/zcbus/account/second-factor/authenticator/remove", signed_in(), unit=Unit.OWN)
def remove_authenticator(call: Call, body: Proof) -> None:
    """Remove the authenticator; security keys stay."""
    service.remove_authenticator(call, body)


@api.change("/api/zcbus/account/second-factor/off", signed_in(), unit=Unit.OWN)
def turn_off(call: Call, body: Proof) -> None:
    """Turn two-step verification off."""
    service.turn_off(call, body)


@api.change("/api/zcbus/account/second-factor/recovery-codes", signed_in(), unit=Unit.OWN)
def renew_recovery_codes(call: Call, body: Proof) -> RecoveryCodes:
    """Make new recovery codes; the old ones become invalid."""
    return service.renew_recovery_codes(call, body)


@api.change("/api/zcbus/account/second-factor/key/ask", signed_in(), unit=Unit.OWN, audited=False)
def ask_key(call: Call) -> KeyCeremony:
    """A question to the caller's security keys, whose answer proves in other calls that it is the caller."""
    return own_keys.ask(call)


@api.change("/api/zcbus/account/second-factor/key/begin", signed_in(), unit=Unit.OWN)
def begin_key(call: Call, body: Proof) -> KeyCeremony:
    """Begin the registration of a security key. The proof needs the second factor where there is one already."""
    return own_keys.begin(call, body)


@api.change("/api/zcbus/account/second-factor/key/add", signed_in(), unit=Unit.OWN)
def add_key(call: Call, body: NewKey) -> RecoveryCodes:
    """Register a security key. The first factor turns two-step verification on, ends the caller's other sessions, and
    answers the recovery codes, once."""
    return own_keys.finish(call, body)


@api.change("/api/zcbus/account/second-factor/key/rename", signed_in())
def rename_key(call: Call, body: KeyRename) -> None:
    """Give a security key another name."""
    own_keys.rename(call, body)


@api.change("/api/zcbus/account/second-factor/key/remove", signed_in(), unit=Unit.OWN)
def remove_key(call: Call, body: KeyRemoval) -> None:
    """Remove a security key. Without another factor two-step verification is off then, where the tenant lets it be."""
    own_keys.remove(call, body)
