"""Common form of a value for both sides of a comparison.

`Target.stored_form` gives the form in which the target stores a source's value. The common form removes what is left,
differences of spelling: zeros at the end of a fraction, blanks at the end of CHAR, the layout of JSON.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from zcbus.model.arrow import ArrowArray
from zcbus.model.kernels import compute
from zcbus.model.types import INTEGERS, DataType, Kind

Booleans = npt.NDArray[np.bool_]
StoredForm = Callable[[ArrowArray, DataType, DataType], ArrowArray]
"""See roles.Target.stored_form."""

_INTEGER_LIKE = INTEGERS | {Kind.BOOLEAN, Kind.YEAR}
_FLOATS = frozenset({Kind.FLOAT32, Kind.FLOAT64})
_MOMENTS = frozenset({Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMP_TZ})
_TIMES = frozenset({Kind.TIME, Kind.TIME_TZ, Kind.DURATION, Kind.INTERVAL})


class Form(Enum):
    """Rule by which two values of a column are equal."""

    EXACT = "exact"
    NUMBER = "number"
    FLOAT32 = "float32"
    FLOAT64 = "float64"
    MOMENT = "moment"
    TIME = "time"
    PADDED = "padded"
    """Blanks at the end don't count."""
    OCTETS = "octets"
    PADDED_OCTETS = "padded-octets"
    """Zero bytes at the end don't count."""
    JSON = "json"
    LOWER = "lower"


def form_of(source: DataType, target: DataType, *, strict: bool) -> Form:
    """Form in which two columns are compared. `strict`: the spelling counts where both sides keep it."""
    kinds = {source.kind, target.kind}
    if kinds & _FLOATS:
        return Form.FLOAT32 if Kind.FLOAT32 in kinds else Form.FLOAT64
    if Kind.BINARY in kinds:
        return Form.PADDED_OCTETS if (source.fixed or target.fixed) and not strict else Form.OCTETS
    if Kind.DECIMAL in kinds or kinds & _INTEGER_LIKE:
        return Form.EXACT if strict and len(kinds) == 1 else Form.NUMBER
    if kinds & _MOMENTS:
        return Form.MOMENT
    if kinds & _TIMES:
        return Form.TIME
    return Form.EXACT if strict and Kind.UUID not in kinds else _text_form(source, target, kinds)


def _text_form(source: DataType, target: DataType, kinds: set[Kind]) -> Form:
    if Kind.JSON in kinds:
        return Form.JSON
    if Kind.UUID in kinds:
        return Form.LOWER
    return Form.PADDED if source.fixed or target.fixed else Form.EXACT


@dataclass(frozen=True, slots=True)
class ComparedColumn:
    """A column of both sides."""

    name: str
    """In the batches of both sides: the source's name, or a computed column's."""
    target: str
    """Name in the target."""
    source_type: DataType
    """As it leaves the source's transforms."""
    target_type: DataType
    form: Form
    stored_form: StoredForm

    def from_source(self, values: ArrowArray) -> ArrowArray:
        """The source's canonical values in the common form."""
        return _common(self.stored_form(values, self.source_type, self.target_type), self.form)

    def from_target(self, values: ArrowArray) -> ArrowArray:
        """The target's canonical values in the common form."""
        return _common(values, self.form)

    def differing(self, source: ArrowArray, target: ArrowArray) -> Booleans | None:
        """Which of these pairs of canonical values differ; None: none of them."""
        if source.equals(target):
            return None
        ours, theirs = self.from_source(source), self.from_target(target)
        if ours.equals(theirs):
            return None
        unequal = np.asarray(compute.fill_null(compute.not_equal(ours, theirs), False)).astype(np.bool_)
        unequal |= np.asarray(ours.is_null()) != np.asarray(theirs.is_null())
        for index in np.flatnonzero(unequal):
            if self._same(ours[int(index)].as_py(), theirs[int(index)].as_py()):
                unequal[index] = False
        return unequal if unequal.any() else None

    def _same(self, one: Any, other: Any) -> bool:
        """Equality rules that are too rare, or too complex, for column kernels."""
        if one is None or other is None:
            return False
        if self.form is Form.JSON:
            return _json(one) == _json(other)
        if self.form is Form.NUMBER:
            return _number(one) == _number(other)
        return self.form is Form.MOMENT and _same_moment(one, other, self.source_type, self.target_type)


def _common(values: ArrowArray, form: Form) -> ArrowArray:
    if not len(values) or form in (Form.EXACT, Form.JSON):
        return values
    return _FORMS[form](values)


def _numbers(values: ArrowArray) -> ArrowArray:
    fractions = compute.match_substring(values, ".")
    if not compute.any(fractions).as_py():
        return values
    trimmed: ArrowArray = compute.if_else(fractions, _without_zeros(values), values)
    return trimmed


def _without_zeros(values: ArrowArray) -> ArrowArray:
    trimmed: ArrowArray = compute.utf8_rtrim(compute.utf8_rtrim(values, "0"), ".")
    return trimmed


def _floats(kind: Any) -> Callable[[ArrowArray], ArrowArray]:
    def common(values: ArrowArray) -> ArrowArray:
        numbers = compute.cast(values, pa.float64()).cast(kind, safe=False)
        # Minus zero is zero, and NaN is itself.
        text: ArrowArray = compute.add(numbers, pa.scalar(0, kind)).cast(pa.string())
        return text

    return common


def _moments(values: ArrowArray) -> ArrowArray:
    if pa.types.is_binary(values.type):
        return values
    values = compute.if_else(compute.ends_with(values, "+00"), compute.utf8_slice_codeunits(values, 0, -3), values)
    return _numbers(values)


def _octets(values: ArrowArray) -> ArrowArray:
    return values.cast(pa.binary())


def _padded_octets(values: ArrowArray) -> ArrowArray:
    return pa.array([None if v is None else v.rstrip(b"\0") for v in _octets(values).to_pylist()], pa.binary())


_FORMS: dict[Form, Callable[[ArrowArray], ArrowArray]] = {
    Form.NUMBER: _numbers,
    Form.FLOAT32: _floats(pa.float32()),
    Form.FLOAT64: _floats(pa.float64()),
    Form.MOMENT: _moments,
    Form.TIME: _numbers,
    Form.PADDED: lambda values: compute.utf8_rtrim(values, " "),
    Form.OCTETS: _octets,
    Form.PADDED_OCTETS: _padded_octets,
    Form.LOWER: compute.utf8_lower,
}


def _json(text: str) -> object:
    try:
        return json.loads(text, parse_float=Decimal, parse_int=Decimal)
    except ValueError:
        return text


def _number(text: str) -> object:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    return text if number.is_nan() else number


def _same_moment(one: str, other: str, source: DataType, target: DataType) -> bool:
    """Whether two moments are equal as a date and its midnight, or after rounding to the coarser column."""
    if Kind.DATE in (source.kind, target.kind):
        return one.removesuffix(" 00:00:00") == other.removesuffix(" 00:00:00")
    digits = min(6 if data.precision is None else data.precision for data in (source, target))
    return digits < 6 and _rounded(one, digits) == _rounded(other, digits)


def _rounded(text: str, digits: int) -> object:
    try:
        moment = np.datetime64(text.replace(" ", "T"), "us")
    except ValueError:
        return text
    unit = 10 ** (6 - digits)
    return (int(moment.astype(np.int64)) * 2 + unit) // (2 * unit)
