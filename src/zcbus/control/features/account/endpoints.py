"""Calls about accounts."""

from zcbus.control.features.account import change_password as changing
from zcbus.control.features.account.schemas import ChangePasswordRequest
from zcbus.control.platform.authorisation import public
from zcbus.control.platform.call import Call, Unit
from zcbus.control.platform.routing import Api

api = Api("account")


@api.change(
    "/api/zcbus/account/user/change/password",
    public("the token is in the body: after code 40200 there is no session yet"),
    unit=Unit.OWN,
)
def change_password(call: Call, body: ChangePasswordRequest) -> None:
    """Change the own password; ends every session of the user."""
    changing.change_password(call, body)
    call.message_key = "password-changed"
