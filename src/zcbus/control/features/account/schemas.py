"""Requests and answers about accounts."""

from pydantic import Field

from zcbus.control.platform.schema import ConfidentialSchema, Schema


class TenantRecord(Schema):
    """A tenant, in the specification's words a customer."""

    customerid: str
    name: str


class UserRecord(Schema):
    """A user without secrets. `customerId` is the user's tenant; `documentType`: '0' ID card, '1' HR number;
    `clientRemote`: a user at a customer's site; `menuPermission`: pages and permissions that the roles allow."""

    user_id: str
    user_name: str
    nick_name: str
    document_type: str | None
    id_number: str | None
    status: str
    user_type: str
    phone: str | None
    email: str | None
    description: str | None
    dept_id: str | None
    customer_id: str
    client_remote: bool
    role_codes: list[str]
    menu_permission: list[str]


class ChangePasswordRequest(ConfidentialSchema):
    """`token` may be the session's, or the one from code 40200: then `currentPassword` may be omitted, because it was
    given a moment before."""

    current_password: str = Field(default="", max_length=200)
    new_password: str = Field(max_length=200)
    confirm_password: str = Field(max_length=200)
    token: str = Field(default="", max_length=200)
