"""Reading captchas without eyes: the store holds the hash of four digits."""

import hashlib

from tests.support.control_plane import ControlPlane
from zcbus.control.features.captcha.pictures import DIGITS
from zcbus.control.store.tables.identity import captcha


def digits_of(plane: ControlPlane, uuid: str) -> str:
    """What the picture shows."""
    with plane.services.database.read() as connection:
        row = connection.execute(captcha.select().where(captcha.c.id == uuid)).one()
    numbers = (f"{number:0{DIGITS}}" for number in range(10**DIGITS))
    return next(text for text in numbers if hashlib.sha256(f"{uuid}:{text}".encode()).hexdigest() == row.answer_hash)


def other_than(digits: str) -> str:
    """Digits that are wrong."""
    return f"{(int(digits) + 1) % 10**DIGITS:0{DIGITS}}"
