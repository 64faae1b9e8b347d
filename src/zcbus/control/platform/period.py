"""Periods in requests."""

from abc import abstractmethod
from datetime import datetime, timedelta
from typing import ClassVar, Self

from pydantic import AwareDatetime, Field, model_validator
from pydantic_core import PydanticCustomError

from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.schema import Schema


class Period(Schema):
    """`from` and `to`, both or neither. A subclass gives the longest, the fault of another one, and what is meant where
    both are left out: so much up to now; None: they may not be left out."""

    longest: ClassVar[timedelta]
    usual: ClassVar[timedelta | None] = None

    start: AwareDatetime | None = Field(default=None, alias="from")
    end: AwareDatetime | None = Field(default=None, alias="to")

    def until(self) -> timedelta | None:
        """How long the period is that ends now; None: `from` and `to` count."""
        return self.usual if self.start is None and self.end is None else None

    @model_validator(mode="after")
    def _check_range(self) -> Self:
        if self.until() is not None:
            return self
        if self.start is None or self.end is None or not timedelta(0) < self.end - self.start <= self.longest:
            raise self.fault()
        return self

    @abstractmethod
    def fault(self) -> PydanticCustomError:
        """What is said of a range that has no length, or is longer than the longest."""

    def between(self, now: datetime) -> tuple[float, float]:
        """The range, in seconds since 1970."""
        start, end = self.moments(now)
        return start.timestamp(), end.timestamp()

    def moments(self, now: datetime) -> tuple[datetime, datetime]:
        """Beginning and end."""
        if self.start is None or self.end is None or self.until() is not None:
            return now - (self.until() or timedelta(0)), now
        return self.start, self.end


class RecentPeriod(Period):
    """`last`: the seconds up to now; else `from` and `to`."""

    longest: ClassVar[timedelta] = timedelta(days=800)

    last: int | None = None

    def until(self) -> timedelta | None:
        """The last seconds, where they are given."""
        return None if self.last is None else timedelta(seconds=self.last)

    def fault(self) -> PydanticCustomError:
        return field_fault("metric-range", days=self.longest.days)


class StatisticsPeriod(Period):
    """`from`, `to`: at most 93 days."""

    longest: ClassVar[timedelta] = timedelta(days=93)

    def fault(self) -> PydanticCustomError:
        return field_fault("statistics-range", days=self.longest.days)
