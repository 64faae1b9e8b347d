"""Looks into a platform's store for what a person would see with their eyes or an administrator would set.

store DATABASE captcha digits|slide UUID        what the picture shows, or how far the piece must slide
store DATABASE account NAME [remote]            makes an ordinary account with an unknown password, or a remote
                                                client's
store DATABASE delete-code true|false           whether deleting asks for a picture's digits
store DATABASE records COUNT                    lengthens the operation log; every 50th operation failed
"""

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta

from sqlalchemy import update

from zcbus.control.features.account import passwords, service
from zcbus.control.store.engine import Database
from zcbus.control.store.tables.audit import audit_record
from zcbus.control.store.tables.identity import user
from zcbus.kit.ids import new_id

CANDIDATES = {
    "digits": [(f"{number:04}", f"{number:04}") for number in range(10_000)],
    "slide": [(str(x), f"slide-{x}") for x in range(351)],
}


def captcha_answer(connection: sqlite3.Connection, kind: str, uuid: str) -> str:
    (wanted,) = connection.execute("SELECT answer_hash FROM captcha WHERE id = ?", (uuid,)).fetchone()
    return next(
        shown for shown, answer in CANDIDATES[kind] if hashlib.sha256(f"{uuid}:{answer}".encode()).hexdigest() == wanted
    )


def ask_before_deleting(connection: sqlite3.Connection, wanted: str) -> None:
    name = "sys_config"
    (text,) = connection.execute("SELECT value FROM system_parameter WHERE variable_name = ?", (name,)).fetchone()
    value = json.dumps({**json.loads(text), "isDeleteCode": wanted == "true"})
    connection.execute("UPDATE system_parameter SET value = ? WHERE variable_name = ?", (value, name))


def add_account(database: str, name: str, kind: str = "") -> None:
    now = datetime.now(UTC)
    account = service.NewUser(
        name, name, passwords.hash_password(passwords.generate()), "default", "ordinary", must_change_password=False
    )
    with closing(Database(f"sqlite:///{database}")) as store, store.write() as connection:
        user_id = service.create_user(connection, now, account)
        connection.execute(update(user).where(user.c.id == user_id).values(client_remote=kind == "remote"))


def add_records(database: str, count: str) -> None:
    now = datetime.now(UTC)
    same = {"tenant_id": "default", "user_name": "long-log", "address": "127.0.0.1", "request_id": "test", "path": "/"}
    rows = [
        {
            **same,
            "id": new_id(),
            "recorded_at": now - timedelta(seconds=number),
            "action": "sync-link_start",
            "subject": f"link {number}",
            "result": "failed" if number % 50 == 0 else "done",
        }
        for number in range(int(count))
    ]
    with closing(Database(f"sqlite:///{database}")) as store, store.write() as connection:
        connection.execute(audit_record.insert(), rows)


def main(arguments: Sequence[str]) -> int:
    """Run one of them; raises what goes wrong."""
    database, what, *rest = arguments
    if what == "account":
        add_account(database, *rest)
    elif what == "records":
        add_records(database, *rest)
    else:
        with sqlite3.connect(database, timeout=20) as connection:
            if what == "captcha":
                print(captcha_answer(connection, *rest))
            else:
                ask_before_deleting(connection, *rest)
    return 0
