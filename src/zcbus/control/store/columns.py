"""Column types that read back alike on SQLite and PostgreSQL, and the MetaData every table hangs on."""

from datetime import UTC, datetime

from sqlalchemy import JSON, Column, DateTime, Dialect, MetaData, String, TypeDecorator

NAMING_CONVENTION = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

metadata = MetaData(naming_convention=NAMING_CONVENTION)

ID_LENGTH = 32


class UtcTimestamp(TypeDecorator[datetime]):
    """A moment with zone, to the microsecond. Refuses naive values; always reads back in UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a timestamp without a zone cannot be stored")
        in_utc = value.astimezone(UTC)
        # SQLite has no type for moments: its text holds UTC, without a zone, and sorts as time does.
        return in_utc.replace(tzinfo=None) if dialect.name == "sqlite" else in_utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class JsonDocument(TypeDecorator[object]):
    """A JSON value, kept as written (key order included) on both stores. None is SQL NULL."""

    impl = JSON(none_as_null=True)
    cache_ok = True


def id_column(name: str = "id") -> Column[str]:
    """The primary key of a table: an opaque identifier from `zcbus.kit.ids`."""
    return Column(name, String(ID_LENGTH), primary_key=True)
