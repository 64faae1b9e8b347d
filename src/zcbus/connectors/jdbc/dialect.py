"""What differs between databases that are reached by JDBC drivers: facts that their kinds declare."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from zcbus.model.types import Kind

FULL = "53100"
"""SQLSTATE of a full disk, table space or quota, as PostgreSQL has it; the standard has none."""


@dataclass(frozen=True, slots=True)
class TypeNames:
    """Types of a database, for columns that come from other kinds of databases."""

    plain: Mapping[Kind, str]
    """Types without a size. `{n}` is the fraction digits of seconds. A kind that is not here is stored as text."""
    digits: int
    """Most digits of an exact number."""
    text: str
    """Of texts without a length, or with a greater one than `text_limit`."""
    text_limit: int
    """Greatest length of VARCHAR, in characters."""
    key_text: str
    """Of texts without a length in a key."""
    binary: str
    """Of bytes without a length, or with a greater one than `binary_limit`."""
    binary_limit: int
    sized_binary: str
    """Of bytes with a length `{n}`."""
    key_binary: str


@dataclass(frozen=True, slots=True)
class States:
    """SQLSTATEs of errors besides the classes of the SQL standard: 08 a lost connection, 28 a refused login, 22 and 23
    refused rows."""

    locked: frozenset[str] = frozenset()
    """Another session holds a lock too long."""
    table: frozenset[str] = frozenset()
    """The table is missing."""
    lost: frozenset[str] = frozenset()
    """The connection is lost, or the server ends."""
    login: frozenset[str] = frozenset()
    """A login or right is refused."""
    database: frozenset[str] = frozenset()
    """The database is missing."""
    full: frozenset[str] = frozenset()
    """A disk, a table space or a quota is full; see also FULL."""
    codes: Mapping[int, str] = field(default_factory=dict)
    """States by the vendor's error number, for drivers whose own states say little."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """A database's driver and its SQL. Statements not named here are those of the SQL standard."""

    kind: str
    """Kind of the data sources, whose native types these are."""
    name: str
    """The product's name."""
    driver: str
    """Class of the driver."""
    url: str
    """With `{host}` (`{address}`: without brackets), `{port}`, `{database}`, which hold
    nothing that a URL of the driver gives a meaning."""
    schema: str
    """Schema of tables that come from other kinds of databases, and of the platform's own tables."""
    system_schemas: frozenset[str]
    states: States
    types: TypeNames | None
    """None: it is no target."""
    others: Mapping[str, str] = field(default_factory=dict)
    """Further classes under which vendors ship the driver → their URLs, tried where `driver` is not in the files."""
    sized_times: bool = True
    """Whether the types of times have the digits of their fraction behind them."""
    far_years: bool = False
    """Whether it has years before Christ and behind 9999."""
    properties: Mapping[str, str] = field(default_factory=dict)
    """Of each connection, besides user and password."""
    session: tuple[str, ...] = ()
    """Statements of each new connection; `{wait}`: milliseconds that it waits for a lock."""
    zone: str = "+00"
    """End of a moment with a zone that is written in UTC."""
    pads: str = ""
    """Collation by which blanks at the end of a text do not count; empty: they do."""
    placeholders: Mapping[str, str] = field(default_factory=dict)
    """Placeholders of values by native type, where it is not `?`."""
    jars: tuple[str, ...] = ()
    """How names of the driver's files begin, in lower case; empty: as the kind."""
    tls: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Properties by the connection's choice of TLS, with `{host}`; empty: it has no such option."""
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    """Neutral types by bare native name (`bare_name`), where the code of java.sql.Types says another one, or none."""
    unsized: frozenset[str] = frozenset()
    """Bare names of types that are declared without a size, though the driver reports one."""
    unlimited: str = "{name}"
    """Form of texts and bytes without a limit."""
    unbounded: frozenset[str] = frozenset()
    """Bare names of exact numbers whose size is none in decimal digits."""
    selects: Mapping[str, str] = field(default_factory=dict)
    """Expressions of `{column}` by bare name, where the driver's own text of a value would depend on settings."""
    compared: Mapping[str, str] = field(default_factory=dict)
    """Placeholders of values by bare name for comparisons with a column, where it is not `?`: what `selects` gives
    must come back as the same value."""
    orders: Mapping[str, str] = field(default_factory=dict)
    """Expressions of `{column}` by bare name that order keys as their canonical texts, where the column's own order is
    another."""
    era: bool = False
    """Whether moments are compared with their fraction, and with AD or BC behind those without a zone."""
    truths: tuple[str, str] = ("true", "false")
    """Literals of booleans."""
    binary_literal: str = "X'{hex}'"
    quote: str = '"'
    """What names of a source are quoted with; doubled within."""
    page: str = " OFFSET {skipped} ROWS FETCH NEXT {rows} ROWS ONLY"
    """End of a query that takes a part of its rows."""

    @property
    def jar_names(self) -> tuple[str, ...]:
        """How names of the driver's files begin, in lower case."""
        return self.jars or (self.kind,)

    @property
    def written_types(self) -> TypeNames:
        """`types` of a target."""
        assert self.types is not None
        return self.types
