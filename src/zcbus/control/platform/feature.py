"""Declaration of a feature for the composition."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from zcbus.control.platform.caches import Cache
from zcbus.control.platform.routing import Api
from zcbus.control.platform.services import Services


@dataclass(frozen=True, slots=True)
class Periodic:
    """A periodic action, every `seconds`, in a thread of its own while the platform runs.

    Every replica runs it, so the action must be safe to run twice at once. An error is logged, and the action runs
    again at its next time.
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
    # Runs once per start, after the migrations and before the first request. The returned line is shown to the person
    # who started the platform.
    prepare: Callable[[Services], str | None] | None = None
    periodic: tuple[Periodic, ...] = ()
    caches: tuple[Cache, ...] = ()
