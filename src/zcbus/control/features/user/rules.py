"""The rules of the user form (the specification's chapter 5), the same ones that the console checks while one types."""

import re

from zcbus.control.features.account import passwords
from zcbus.control.features.user.errors import (
    DocumentTypeMissingError,
    EmailInvalidError,
    IdNumberInvalidError,
    IdNumberLengthError,
    IdNumberMissingError,
    NewUserCancelledError,
    PhoneInvalidError,
    RoleMissingError,
    UserNameEmptyError,
)
from zcbus.control.features.user.schemas import UserUpsert

ID_CARD = "0"
CANCELLED = "2"

_ID_CARD_LENGTHS = (15, 18)
_ID_CARD_NUMBER = re.compile(r"\d{15}|\d{18}|\d{17}[\dXx]", re.ASCII)
_MOBILE = re.compile(r"1(3\d|4[5-9]|5[0-35-9]|6[2567]|7[0-8]|8\d|9[0-35-9])\d{8}", re.ASCII)
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


def check_new(form: UserUpsert, longest_password: int) -> None:
    """Raise the errors of a form that adds a user."""
    if not (form.user_name or "").strip():
        raise UserNameEmptyError
    passwords.check_rules(form.password or "", longest_password)
    if form.document_type is None:
        raise DocumentTypeMissingError
    if not form.role_code:
        raise RoleMissingError
    if form.status == CANCELLED:
        raise NewUserCancelledError
    check_person(form.document_type, form.id_number, form.phone, form.email)


def check_person(document_type: str | None, id_number: str | None, phone: str | None, email: str | None) -> None:
    """Raise the errors of the fields that identify a person."""
    if not id_number:
        raise IdNumberMissingError
    if document_type == ID_CARD:
        if len(id_number) not in _ID_CARD_LENGTHS:
            raise IdNumberLengthError
        if not _ID_CARD_NUMBER.fullmatch(id_number):
            raise IdNumberInvalidError
    if phone and not _MOBILE.fullmatch(phone):
        raise PhoneInvalidError
    if email and not _EMAIL.fullmatch(email):
        raise EmailInvalidError
