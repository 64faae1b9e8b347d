"""Values of typed Arrow columns in canonical form (model.types), and the way back."""

from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from zcbus.model.arrow import ArrowArray
from zcbus.model.characters import LAST_DAY, SECONDS_OF_DAY, Flags, fixed_text, memory, put_digits, put_moments
from zcbus.model.kernels import compute

_YEAR = 4
"""Digits, with a hyphen behind them."""
_SHORT = 18
"""Digits that 64 bits hold."""
_PLAIN_SCALE = 6
"""Arrow writes numbers with more digits behind the point with an exponent where they are small."""
_MOMENT = len("2026-01-31 12:00:00")
_MICROSECONDS = 1_000_000


def canonical(values: Any) -> ArrowArray:
    """A typed column as canonical values: bytes for binary ones, else texts. Raises pa.ArrowException."""
    data = values.type
    if pa.types.is_dictionary(data):
        return canonical(values.dictionary_decode())
    convert = next((convert for is_of, convert in _CONVERSIONS if is_of(data)), _texts)
    return convert(values)


def typed(values: ArrowArray, target: pa.DataType) -> ArrowArray:
    """Canonical values as a typed column. Raises ValueError for a value that the type does not have."""
    types = pa.types
    if values.type == target:
        return values
    if types.is_boolean(target):
        if not compute.all(compute.is_in(values, pa.array(["t", "f", None], pa.string()))).as_py():
            raise ValueError("not t or f")
        found = compute.equal(values, pa.scalar("t"))
    elif types.is_date(target) or types.is_timestamp(target):
        _require_years(values)
        found = values.cast(target)
    elif types.is_decimal128(target):
        found = _short_decimals(values, target) or values.cast(target)
    else:
        found = values.cast(target)
    return cast("ArrowArray", found)


def nulls(count: int, target: pa.DataType) -> ArrowArray:
    """A column without values."""
    made: Any = pa.nulls
    return cast("ArrowArray", made(count, target))


def same(value: "pa.Scalar[Any]", count: int) -> ArrowArray:
    """A column of one value."""
    made: Any = pa.repeat
    return cast("ArrowArray", made(value, count))


def is_bytes(data: pa.DataType) -> bool:
    """Whether a column holds bytes."""
    types = pa.types
    return (
        types.is_binary_view(data)
        or types.is_binary(data)
        or types.is_large_binary(data)
        or types.is_fixed_size_binary(data)
    )


def _require_years(values: ArrowArray) -> None:
    """Arrow would parse a time without a day as one of 1970."""
    offsets, data = _characters(values)
    starts, long = offsets[:-1], np.diff(offsets) > _YEAR
    fits = long.all() and (data[starts + _YEAR] == ord("-")).all()
    if not fits:
        there = _valid(values)
        if not long[there].all() or (data[starts[there] + _YEAR] != ord("-")).any():
            raise ValueError("not a day of the years 0000 to 9999")


def _short_decimals(values: ArrowArray, target: pa.Decimal128Type) -> ArrowArray | None:
    """From texts with as many digits behind the point as the type, as such columns have them; None: of others."""
    scale, texts = target.scale, cast("Any", values)
    if values.type != pa.string() or not 0 < scale <= target.precision <= _SHORT:
        return None
    offsets, data = _characters(values)
    octets = texts.view(pa.binary())
    points = compute.equal(compute.binary_slice(octets, -scale - 1, -scale), b".")
    used = data[offsets[0] : offsets[-1]]
    if not compute.all(points, min_count=0).as_py() or used.max(initial=0) > ord("9"):
        return None
    try:
        digits = compute.binary_replace_slice(octets, -scale - 1, -scale, b"").view(pa.string()).cast(pa.int64())
    except pa.ArrowInvalid:
        return None
    numbers = digits.fill_null(0).to_numpy()
    if len(numbers) and max(-int(numbers.min()), int(numbers.max())) >= 10**target.precision:
        return None
    words = np.stack((numbers, numbers >> 63), axis=1)
    return pa.Array.from_buffers(target, len(values), [digits.buffers()[0], memory(words)])


def _characters(values: ArrowArray) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
    """Of a column of texts the place of each one's first byte, with the end behind the last one, and the bytes."""
    if not len(values):
        return np.zeros(1, np.int32), np.zeros(0, np.uint8)
    _, offsets, data = values.buffers()
    assert offsets is not None
    places = np.frombuffer(memoryview(offsets), np.int32)[values.offset : values.offset + len(values) + 1]
    return places, np.frombuffer(memoryview(data or b""), np.uint8)


def _valid(values: Any) -> Flags:
    found: Flags = values.is_valid().to_numpy(zero_copy_only=False)
    return found


def _texts(values: Any) -> ArrowArray:
    return cast("ArrowArray", values.cast(pa.string()))


def _bytes(values: Any) -> ArrowArray:
    return cast("ArrowArray", values.cast(pa.binary()))


def _decimals(values: Any) -> ArrowArray:
    data = values.type
    if pa.types.is_decimal128(data) and data.precision <= _SHORT and data.scale >= 0:
        return _with_point(_unscaled(values), data.scale)
    texts: Any = _texts(values)
    if 0 <= data.scale <= _PLAIN_SCALE:
        return cast("ArrowArray", texts)
    short = compute.fill_null(compute.match_substring(texts, "E"), False)
    if not compute.any(short).as_py():
        return cast("ArrowArray", texts)
    long = pa.array([f"{one:f}" for one in values.filter(short).to_pylist()], pa.string())
    return cast("ArrowArray", compute.replace_with_mask(texts, short, long))


def _unscaled(values: Any) -> Any:
    """The digits of decimals as integers: the lower of two words each."""
    if not len(values):
        return pa.array([], pa.int64())
    words = np.frombuffer(values.buffers()[1], np.int64)[2 * values.offset :: 2][: len(values)]
    return pa.array(words, mask=~_valid(values) if values.null_count else None)


def _with_point(digits: Any, scale: int) -> ArrowArray:
    texts = digits.cast(pa.string())
    if not scale:
        return cast("ArrowArray", texts)
    small = compute.less(compute.abs(digits), 10**scale)
    if compute.any(small).as_py():
        found = digits.filter(small)
        padded = compute.ascii_lpad(compute.abs(found).cast(pa.string()), scale + 1, "0")
        sign = compute.if_else(compute.less(found, 0), "-", "")
        signed = compute.binary_join_element_wise(sign, padded, "")
        texts = compute.replace_with_mask(texts, small.fill_null(False), signed)
    pointed = compute.binary_replace_slice(texts.view(pa.binary()), -scale, -scale, b".")
    return cast("ArrowArray", pointed.view(pa.string()))


def _truths(values: Any) -> ArrowArray:
    return cast("ArrowArray", compute.if_else(values, pa.scalar("t"), pa.scalar("f")))


def _days(values: Any) -> ArrowArray:
    return _texts(values.cast(pa.date32()))


def _times(values: Any) -> ArrowArray:
    return _bare(_texts(values.cast(pa.time64("us"))))


def _floats(values: Any) -> ArrowArray:
    numbers = values.cast(pa.float32()) if pa.types.is_float16(values.type) else values
    texts = _texts(numbers)
    if compute.all(compute.is_finite(numbers), min_count=0).as_py():
        return texts
    for word, text in (("nan", "NaN"), ("inf", "Infinity"), ("-inf", "-Infinity")):
        texts = compute.if_else(compute.equal(texts, word), pa.scalar(text), texts)
    return texts


def _moments(values: Any) -> ArrowArray:
    # Arrow stores an instant in UTC, whatever its display zone.
    zone = values.type.tz
    moments = values.cast(pa.timestamp("us", zone)).cast(pa.int64())
    ends = compute.min_max(moments)
    last = LAST_DAY * SECONDS_OF_DAY * _MICROSECONDS
    if ends["min"].is_valid and ends["min"].as_py() >= 0 and ends["max"].as_py() < last:
        texts = _recent(moments)
    else:
        texts = _bare(_texts(moments.cast(pa.timestamp("us"))))
    return compute.binary_join_element_wise(texts, pa.scalar("+00"), pa.scalar("")) if zone else texts


def _recent(moments: Any) -> ArrowArray:
    """Texts of microseconds since 1970, in a third of the time that Arrow takes."""
    valid = _valid(moments) if moments.null_count else None
    micro = moments.fill_null(0).to_numpy()
    seconds = micro // _MICROSECONDS
    fraction = micro - seconds * _MICROSECONDS
    if not fraction.any():
        characters = np.empty((len(micro), _MOMENT), np.uint8)
        put_moments(characters, seconds)
        return fixed_text(characters, valid)
    characters = np.full((len(micro), _MOMENT + 7), ord("."), np.uint8)
    put_moments(characters, seconds)
    put_digits(characters, _MOMENT + 1, 6, fraction)
    return _bare(fixed_text(characters, valid))


def _bare(texts: Any) -> ArrowArray:
    """Without zeros at the end of the second's fraction, which all of them have."""
    bare: ArrowArray = compute.ascii_rtrim(compute.ascii_rtrim(texts, "0"), ".")
    return bare


_CONVERSIONS = (
    (is_bytes, _bytes),
    (pa.types.is_decimal, _decimals),
    (pa.types.is_boolean, _truths),
    (pa.types.is_date, _days),
    (pa.types.is_time, _times),
    (pa.types.is_timestamp, _moments),
    (pa.types.is_floating, _floats),
)
