"""States of a delivery."""

from enum import StrEnum
from typing import Literal

Occasion = Literal["raised", "repeated", "recovered", "test"]


class DeliveryState(StrEnum):
    """`waiting`: for its turn or its next attempt. `sending`: an attempt is under way. `sent`: the receiver's server
    took it. `failed`: it is not tried again."""

    WAITING = "waiting"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"


OPEN = (DeliveryState.WAITING, DeliveryState.SENDING)
ENDED = (DeliveryState.SENT, DeliveryState.FAILED)
