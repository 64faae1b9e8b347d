"""Events that receivers are notified of."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from zcbus.control.platform.language import Language


@dataclass(frozen=True, slots=True)
class Event:
    """An alert that was raised, that lasts, or that is over. `at`: when. `repetition`: how often
    receivers were notified that it lasts. `group`: the same for alerts of one kind and one cause,
    100 characters at most; None: it stands alone. `words`: what it says and what to do, in a language."""

    alert_id: str
    occasion: Literal["raised", "repeated", "recovered"]
    tenant_id: str
    kind: str
    level: int
    customer_id: str
    customer_name: str
    at: datetime
    group: str | None
    words: Callable[[Language], tuple[str, str]]
    repetition: int = 0
