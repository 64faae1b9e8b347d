"""Registration of sessions by owner and number, as holders of named locks; see TargetSession.register."""

import hashlib
from collections.abc import Collection
from contextlib import suppress

from zcbus.connectors.errors import TargetLocked
from zcbus.connectors.mysql.connection.session import Session
from zcbus.kit.errors import TerminalError

_WAIT_SECONDS = 5


def register(session: Session, owner: str, number: int, dead: Collection[int]) -> None:
    """Clusters that know no named locks refuse this."""
    with suppress(TerminalError):
        for holder in _holders(session, [_lock_name(owner, one) for one in sorted({number, *dead})]):
            _end(session, holder)
        session.rows("SELECT GET_LOCK(%s, %s)", [_lock_name(owner, number), _WAIT_SECONDS])


def _lock_name(owner: str, number: int) -> str:
    """Names are the server's, so they must be like no other's; they have up to 64 characters."""
    return f"zcbus/{hashlib.sha256(owner.encode()).hexdigest()[:40]}/{number}"


def _holders(session: Session, names: list[str]) -> set[int]:
    questions = ", ".join(["IS_USED_LOCK(%s)"] * len(names))
    return {int(one) for one in session.rows(f"SELECT {questions}", names)[0] if one is not None}


def _end(session: Session, number: int) -> None:
    with suppress(TerminalError, TargetLocked):  # another user's, or ended meanwhile
        session.execute(f"KILL {number}")
