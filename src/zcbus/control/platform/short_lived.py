"""Caches of rows in the store that live for a moment, as answers of captchas and tickets."""

from datetime import timedelta

from sqlalchemy import Table, delete, func, select

from zcbus.control.platform.caches import Cache, CacheFigures
from zcbus.control.platform.services import Services


def short_lived(name: str, table: Table, lifetime: timedelta | None = None) -> Cache:
    """The cache of a table with a column `expires_at`. `lifetime`: of each row; None: they differ. Entries are rows
    that have not expired; clearing removes the others as well, without counting them."""

    def measure(services: Services) -> CacheFigures:
        expires = table.c.expires_at
        query = select(func.count(), func.min(expires)).where(expires > services.clock.now())
        with services.database.read() as connection:
            entries, first = connection.execute(query).one()
        return CacheFigures(entries, oldest_at=first - lifetime if first and lifetime else None)

    def clear(services: Services) -> int:
        with services.database.write() as connection:
            removed = connection.execute(delete(table).returning(table.c.expires_at)).scalars().all()
        return sum(expires_at > services.clock.now() for expires_at in removed)

    return Cache(name, "store", measure, clear)
