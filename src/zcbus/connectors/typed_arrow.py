"""Values of typed Arrow columns in canonical form (model.types), and the way back."""

from typing import Any, cast

import pyarrow as pa

from zcbus.model.arrow import ArrowArray
from zcbus.model.kernels import compute

_BEHIND_YEAR = (4, 5)


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
    fits = compute.equal(compute.binary_slice(values.cast(pa.binary()), *_BEHIND_YEAR), b"-")
    if compute.any(compute.invert(fits)).as_py():
        raise ValueError("not a day of the years 0000 to 9999")


def _texts(values: Any) -> ArrowArray:
    return cast("ArrowArray", values.cast(pa.string()))


def _bytes(values: Any) -> ArrowArray:
    return cast("ArrowArray", values.cast(pa.binary()))


def _decimals(values: Any) -> ArrowArray:
    texts: Any = _texts(values)
    # Very small numbers come with an exponent.
    short = compute.fill_null(compute.match_substring(texts, "E"), False)
    if not compute.any(short).as_py():
        return cast("ArrowArray", texts)
    long = pa.array([f"{one:f}" for one in values.filter(short).to_pylist()], pa.string())
    return cast("ArrowArray", compute.replace_with_mask(texts, short, long))


def _truths(values: Any) -> ArrowArray:
    return cast("ArrowArray", compute.if_else(values, pa.scalar("t"), pa.scalar("f")))


def _days(values: Any) -> ArrowArray:
    return _texts(values.cast(pa.date32()))


def _times(values: Any) -> ArrowArray:
    return _bare(_texts(values.cast(pa.time64("us"))))


def _floats(values: Any) -> ArrowArray:
    texts = _texts(values.cast(pa.float32()) if pa.types.is_float16(values.type) else values)
    for word, text in (("nan", "NaN"), ("inf", "Infinity"), ("-inf", "-Infinity")):
        texts = compute.if_else(compute.equal(texts, word), pa.scalar(text), texts)
    return texts


def _moments(values: Any) -> ArrowArray:
    # Arrow stores an instant in UTC, whatever its display zone.
    zone = values.type.tz
    moments = values.cast(pa.timestamp("us", zone)).cast(pa.int64()).cast(pa.timestamp("us"))
    texts = _bare(_texts(moments))
    return compute.binary_join_element_wise(texts, pa.scalar("+00"), pa.scalar("")) if zone else texts


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
