"""Pictures with digits: generated here, kept in the store, good once and for three minutes."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete

from zcbus.control.features.captcha.errors import CaptchaExpiredError, CaptchaWrongError
from zcbus.control.features.captcha.schemas import CaptchaPicture
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.identity import captcha
from zcbus.kit.ids import new_id

DIGITS = 4
LIFETIME = timedelta(minutes=3)


def create_captcha(services: Services, *, plain: bool = False) -> CaptchaPicture:
    """Create a picture; its answer is stored as a hash. A plain one has no noise."""
    # Drawing libraries are imported on first use.
    from zcbus.control.features.captcha.digit_drawing import draw, draw_plain

    answer = "".join(secrets.choice("0123456789") for _ in range(DIGITS))
    captcha_id = new_id()
    store_answer(services, captcha_id, answer)
    encoded = base64.b64encode(draw_plain(answer) if plain else draw(answer)).decode()
    return CaptchaPicture(uuid=captcha_id, img=f"data:image/png;base64,{encoded}")


def store_answer(services: Services, captcha_id: str, answer: str, lifetime: timedelta = LIFETIME) -> None:
    """Store the hash of a picture's answer."""
    with services.database.write() as connection:
        connection.execute(
            captcha.insert().values(
                id=captcha_id,
                answer_hash=_hash(captcha_id, answer),
                expires_at=services.clock.now() + lifetime,
            )
        )


def check_captcha(services: Services, captcha_id: str, answer: str) -> None:
    """Use the captcha up for good. Raises CaptchaExpiredError (too old, used, unknown) or CaptchaWrongError."""
    fault = None
    with services.database.write() as connection:
        try:
            use(connection, services.clock.now(), captcha_id, answer)
        except (CaptchaExpiredError, CaptchaWrongError) as error:
            # Raised outside, so that the transaction that uses the picture up is not rolled back.
            fault = error
    if fault is not None:
        raise fault


def is_right(services: Services, captcha_id: str, answer: str) -> bool:
    """Use the captcha up for good and say whether the answer was right."""
    try:
        check_captcha(services, captcha_id, answer)
    except (CaptchaExpiredError, CaptchaWrongError):
        return False
    return True


def use(connection: Connection, now: datetime, captcha_id: str, answer: str) -> None:
    """Use the captcha up in the caller's transaction, which must not roll that back. Raises as `check_captcha`."""
    if not captcha_id or not answer:
        raise CaptchaWrongError
    outcome = take(connection, now, captcha_id, [answer.strip()])
    if outcome is None:
        raise CaptchaExpiredError
    if not outcome:
        raise CaptchaWrongError


def take(connection: Connection, now: datetime, captcha_id: str, answers: Iterable[str]) -> bool | None:
    """Use the captcha up and say whether one of the answers is right; None when it is too old, used or unknown."""
    used = delete(captcha).where(captcha.c.id == captcha_id).returning(captcha.c.answer_hash, captcha.c.expires_at)
    # Of two replicas that come at once only one deletes the row.
    row = connection.execute(used).one_or_none()
    if row is None or row.expires_at <= now:
        return None
    return any(hmac.compare_digest(row.answer_hash, _hash(captcha_id, answer)) for answer in answers)


def discard(connection: Connection, captcha_id: str) -> None:
    """Use the captcha up without looking at its answer."""
    connection.execute(delete(captcha).where(captcha.c.id == captcha_id))


def remove_expired(services: Services) -> None:
    """Delete pictures that were not answered in time. Running it twice at once is harmless."""
    with services.database.write() as connection:
        connection.execute(delete(captcha).where(captcha.c.expires_at <= services.clock.now()))


def _hash(captcha_id: str, answer: str) -> str:
    return hashlib.sha256(f"{captcha_id}:{answer}".encode()).hexdigest()
