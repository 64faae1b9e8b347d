"""What a feature hands to the composition."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from zcbus.control.platform.routing import Api
from zcbus.control.platform.services import Services


@dataclass(frozen=True, slots=True)
class Periodic:
    """Something to do every `seconds`, in a thread of its own, from when the platform is up until it stops.

    Every replica does it, so the action must bear being done twice at once. An error is logged; the next turn comes.
    """

    name: str
    seconds: float
    action: Callable[[Services], object]


@dataclass(frozen=True, slots=True)
class Feature:
    """One noun of the platform: its calls, its messages, what it makes at a start, what it does by itself."""

    api: Api
    chinese: Mapping[str, str] = field(default_factory=dict)
    english: Mapping[str, str] = field(default_factory=dict)
    # Runs once per start, after the migrations and before the first request. What it returns is told to the person
    # who started the platform.
    prepare: Callable[[Services], str | None] | None = None
    periodic: tuple[Periodic, ...] = ()
