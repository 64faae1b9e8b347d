"""The slide puzzle: good once and for two minutes, including its ticket."""

import secrets
from base64 import b64encode
from datetime import timedelta

from sqlalchemy import select

from zcbus.control.features.captcha import pictures
from zcbus.control.features.captcha.errors import SlideExpiredError, SlideMissedError, SlideNeededError
from zcbus.control.features.captcha.schemas import SlidePuzzle, SlideState
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.identity import captcha
from zcbus.kit.errors import ZcbusError
from zcbus.kit.ids import new_id

LIFETIME = timedelta(minutes=2)
# Pixels to either side that still count as the right position.
TOLERANCE = 4


def create_puzzle(services: Services) -> SlidePuzzle:
    """Create a puzzle; the position of its hole is stored as a hash."""
    # Drawing libraries are imported on first use.
    from zcbus.control.features.captcha.slide_drawing import draw

    drawing, puzzle_id = draw(), new_id()
    store_position(services, puzzle_id, drawing.x)
    return SlidePuzzle(
        uuid=puzzle_id, background=_data_url(drawing.background), piece=_data_url(drawing.piece), y=drawing.y
    )


def store_position(services: Services, puzzle_id: str, x: int) -> None:
    """Remember where the hole is."""
    pictures.store_answer(services, puzzle_id, _position_answer(x), LIFETIME)


def state_of(services: Services, puzzle_id: str) -> SlideState:
    """Whether the puzzle can still be solved. One that is used, unknown or too old cannot."""
    with services.database.read() as connection:
        expires_at = connection.execute(select(captcha.c.expires_at).where(captcha.c.id == puzzle_id)).scalar()
    left = (expires_at - services.clock.now()) if expires_at else timedelta()
    milliseconds = max(0, int(left / timedelta(milliseconds=1)))
    return SlideState(is_open=milliseconds > 0, remaining_ms=milliseconds)


def solve(services: Services, puzzle_id: str, x: int) -> str:
    """Use the puzzle up and return the ticket for the login. Raises SlideExpiredError, SlideMissedError."""
    near = [_position_answer(position) for position in range(x - TOLERANCE, x + TOLERANCE + 1)]
    fault, ticket_id, secret = _expired_or_missed(services, puzzle_id, near), new_id(), secrets.token_urlsafe(18)
    if fault is not None:
        raise fault
    pictures.store_answer(services, ticket_id, _ticket(secret), LIFETIME)
    return f"{ticket_id}.{secret}"


def check_ticket(services: Services, ticket: str) -> None:
    """Use the ticket up. Raises SlideNeededError (no ticket), SlideExpiredError (too old, used, unknown)."""
    if not ticket:
        raise SlideNeededError
    ticket_id, _, secret = ticket.partition(".")
    if _expired_or_missed(services, ticket_id, [_ticket(secret)]) is not None:
        raise SlideExpiredError


def _expired_or_missed(services: Services, puzzle_id: str, answers: list[str]) -> ZcbusError | None:
    with services.database.write() as connection:
        outcome = pictures.take(connection, services.clock.now(), puzzle_id, answers)
    if outcome is None:
        return SlideExpiredError()
    return None if outcome else SlideMissedError()


# The words keep the answer to one kind of captcha from counting as the answer to another.
def _position_answer(x: int) -> str:
    return f"slide-{x}"


def _ticket(secret: str) -> str:
    return f"ticket-{secret}"


def _data_url(content: bytes) -> str:
    return f"data:image/png;base64,{b64encode(content).decode()}"
