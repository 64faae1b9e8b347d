"""Requests and answers of users."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.platform.paging import ListDefinition, PageRequest
from zcbus.control.platform.schema import ConfidentialSchema, Schema

UserStatus = Literal["0", "1", "2"]
DocumentType = Literal["0", "1"]


class UserListRecord(Schema):
    """A user in the list. `userType` '-1' is a built-in account; `secondFactor`: signs in with two steps."""

    user_id: str
    user_name: str
    nick_name: str
    role_code: str | None
    role_name: str | None
    dept_id: str | None
    dept_name: str | None
    customer_id: str
    customer_name: str
    phone: str | None
    email: str | None
    status: UserStatus
    user_type: str
    client_remote: bool
    second_factor: bool
    created_at: datetime
    updated_at: datetime


class UserPageRequest(PageRequest):
    """`search` covers names, phone and email; `deptId` includes the departments beneath it."""

    search: str | None = Field(default=None, max_length=100)
    dept_id: str | None = Field(default=None, max_length=32)
    role_code: str | None = Field(default=None, max_length=50)
    status: UserStatus | None = None
    customer_id: str | None = Field(default=None, max_length=32)


class UserChoice(Schema):
    """One user."""

    user_id: str = Field(max_length=32)


class UserDeletion(UserChoice, DeletionProof):
    """The user to delete."""


class UserUpsert(ConfidentialSchema):
    """The user form. Without `userId` it adds a user and needs `password`. Null fields stay unchanged; an empty text
    clears a field that may be empty. `roleCode`, `status`, `userName`, `deptId`, `customerId` and `clientRemote` of the
    own account stay."""

    user_id: str | None = Field(default=None, max_length=32)
    user_name: str | None = Field(default=None, max_length=50)
    password: str | None = Field(default=None, max_length=200)
    nick_name: str | None = Field(default=None, max_length=10)
    document_type: DocumentType | None = None
    id_number: str | None = Field(default=None, max_length=18)
    role_code: str | None = Field(default=None, max_length=50)
    phone: str | None = Field(default=None, max_length=13)
    email: str | None = Field(default=None, max_length=100)
    status: UserStatus | None = None
    description: str | None = Field(default=None, max_length=200)
    dept_id: str | None = Field(default=None, max_length=32)
    customer_id: str | None = Field(default=None, max_length=32)
    client_remote: bool | None = None


class PasswordReset(ConfidentialSchema):
    """A password that the user must change at the next sign-in."""

    user_id: str = Field(max_length=32)
    password: str = Field(max_length=200)


class AccountSend(Schema):
    """The user `id` goes to the tenant `customerId`."""

    id: str = Field(max_length=32)
    customer_id: str = Field(max_length=32)


USERS = ListDefinition[UserListRecord](
    UserListRecord,
    {
        "userName": "user_name",
        "nickName": "nick_name",
        "roleCode": "role_code",
        "deptName": "dept_name",
        "customerName": "tenant_name",
        "phone": "phone",
        "email": "email",
        "status": "status",
        "secondFactor": "second_factor",
        "createdAt": "created_at",
        "updatedAt": "updated_at",
    },
)
