"""Requests and answers of departments."""

from typing import Annotated

from pydantic import Field, StringConstraints

from zcbus.control.features.captcha.deletion import DeletionProof
from zcbus.control.platform.schema import Schema

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=50)]


class DepartmentRecord(Schema):
    """A department with those beneath it, in order. `users` counts its own, not those further down."""

    id: str
    parent_id: str | None
    customer_id: str
    customer_name: str
    name: str
    position: int
    description: str | None
    users: int
    children: list["DepartmentRecord"]


class DepartmentTreeRequest(Schema):
    """Of one tenant, or of all that the caller may see."""

    customer_id: str | None = Field(default=None, max_length=32)


class DepartmentChoice(Schema):
    """One department."""

    id: str = Field(max_length=32)


class DepartmentDeletion(DepartmentChoice, DeletionProof):
    """The department to delete."""


class NewDepartment(Schema):
    """A department beneath another, or topmost; `customerId` left out is the caller's tenant."""

    name: Name
    parent_id: str | None = Field(default=None, max_length=32)
    customer_id: str | None = Field(default=None, max_length=32)
    position: int = Field(default=0, ge=0, le=9999)
    description: str | None = Field(default=None, max_length=200)


class DepartmentEdit(DepartmentChoice):
    """All of a department but its tenant."""

    name: Name
    parent_id: str | None = Field(default=None, max_length=32)
    position: int = Field(default=0, ge=0, le=9999)
    description: str | None = Field(default=None, max_length=200)
