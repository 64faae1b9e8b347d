"""The picture with digits: made here, kept in the store, good once and for three minutes."""

import base64
import hashlib
import hmac
import secrets
from datetime import timedelta

from captcha.image import ImageCaptcha
from sqlalchemy import delete, select

from zcbus.control.features.session.errors import CaptchaExpiredError, CaptchaWrongError
from zcbus.control.features.session.schemas import CaptchaPicture
from zcbus.control.platform.services import Services
from zcbus.control.store.tables.identity import captcha
from zcbus.kit.ids import new_id

DIGITS = 4
LIFETIME = timedelta(minutes=3)

_WIDTH, _HEIGHT = 120, 44


def create_captcha(services: Services) -> CaptchaPicture:
    """A new picture; its answer is kept as a hash."""
    answer = "".join(secrets.choice("0123456789") for _ in range(DIGITS))
    captcha_id = new_id()
    store_answer(services, captcha_id, answer)
    picture = ImageCaptcha(width=_WIDTH, height=_HEIGHT, font_sizes=(32, 36, 38)).generate(answer)
    encoded = base64.b64encode(picture.getvalue()).decode()
    return CaptchaPicture(uuid=captcha_id, img=f"data:image/png;base64,{encoded}")


def store_answer(services: Services, captcha_id: str, answer: str) -> None:
    """Remember what the picture shows."""
    with services.database.write() as connection:
        connection.execute(
            captcha.insert().values(
                id=captcha_id,
                answer_hash=_hash(captcha_id, answer),
                expires_at=services.clock.now() + LIFETIME,
            )
        )


def check_captcha(services: Services, captcha_id: str, answer: str) -> None:
    """Use the captcha up. Raises CaptchaExpiredError (too old, used, unknown) or CaptchaWrongError."""
    if not captcha_id or not answer:
        raise CaptchaWrongError
    with services.database.write() as connection:
        row = connection.execute(select(captcha).where(captcha.c.id == captcha_id)).one_or_none()
        used = connection.execute(delete(captcha).where(captcha.c.id == captcha_id)).rowcount
    # Two replicas may read the same row; only one of them deletes it.
    if row is None or not used or row.expires_at <= services.clock.now():
        raise CaptchaExpiredError
    if not hmac.compare_digest(row.answer_hash, _hash(captcha_id, answer.strip())):
        raise CaptchaWrongError


def _hash(captcha_id: str, answer: str) -> str:
    return hashlib.sha256(f"{captcha_id}:{answer}".encode()).hexdigest()
