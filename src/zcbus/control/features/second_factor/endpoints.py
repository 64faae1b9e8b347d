"""Calls of two-step verification. Codes and secrets stay out of the operation log."""

from zcbus.control.features.second_factor import service
from zcbus.control.features.second_factor.schemas import Proof, RecoveryCodes, SecondFactorState, SetUp, TurnOn
from zcbus.control.platform.authorisation import signed_in
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.routing import Api

api = Api("second-factor")


@api.read("/api/zcbus/account/second-factor/state", signed_in())
def get_state(call: Call) -> SecondFactorState:
    """Whether the caller signs in with a second factor."""
    return service.state(call)


@api.read("/api/zcbus/account/second-factor/begin", signed_in())
def begin(call: Call) -> SetUp:
    """A secret for the caller's authenticator; it counts once `on` has its first code."""
    return service.begin(call)


@api.change("/api/zcbus/account/second-factor/on", signed_in(), unit=Unit.OWN)
def turn_on(call: Call, body: TurnOn) -> RecoveryCodes:
    """Turn two-step verification on; ends the caller's other sessions. Answers the recovery codes, once."""
    return service.turn_on(call, body)


@api.change("/api/zcbus/account/second-factor/off", signed_in(), unit=Unit.OWN)
def turn_off(call: Call, body: Proof) -> None:
    """Turn two-step verification off."""
    service.turn_off(call, body)


@api.change("/api/zcbus/account/second-factor/recovery-codes", signed_in(), unit=Unit.OWN)
def renew_recovery_codes(call: Call, body: Proof) -> RecoveryCodes:
    """Make new recovery codes; the old ones become invalid."""
    return service.renew_recovery_codes(call, body)
