"""Devices that accounts were signed in from: browsers keep a device's secret, the store its hash."""

import secrets
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, select, update

from zcbus.control.platform.attempts import Origin, at_address, known_origin
from zcbus.control.platform.token_hash import token_hash
from zcbus.control.store.tables.identity import known_device

REMEMBERED = timedelta(days=90)
"""After the last sign-in."""


def origin_of(connection: Connection, user_id: str | None, device: str, address: str) -> Origin:
    """The device, where the account knows it, else the address."""
    if user_id is None or not device or not _is_known(connection, user_id, device):
        return at_address(address)
    return known_origin(f"device:{token_hash(device)}")


def remember_device(connection: Connection, user_id: str, device: str, now: datetime) -> str:
    """Store the device that a user signed in from, and return its secret. A secret that the platform made before is
    kept, since a browser has one for all its users; otherwise a new one is made."""
    hashed = token_hash(device)
    if device and _is_known(connection, user_id, device):
        own = (known_device.c.user_id == user_id) & (known_device.c.device_hash == hashed)
        connection.execute(update(known_device).where(own).values(seen_at=now))
        return device
    made_here = select(known_device.c.user_id).where(known_device.c.device_hash == hashed).limit(1)
    if not device or connection.execute(made_here).first() is None:
        device = secrets.token_urlsafe(32)
    values = {"user_id": user_id, "device_hash": token_hash(device), "seen_at": now}
    connection.execute(known_device.insert().values(**values))
    return device


def forget_devices(connection: Connection, user_id: str) -> None:
    """None of an account is known any more."""
    connection.execute(delete(known_device).where(known_device.c.user_id == user_id))


def remove_old_devices(connection: Connection, now: datetime) -> None:
    """Delete devices without a sign-in for a long time."""
    connection.execute(delete(known_device).where(known_device.c.seen_at <= now - REMEMBERED))


def _is_known(connection: Connection, user_id: str, device: str) -> bool:
    table = known_device.c
    query = select(table.user_id).where(table.user_id == user_id, table.device_hash == token_hash(device))
    return connection.execute(query).first() is not None
