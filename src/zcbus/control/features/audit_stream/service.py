"""States of the receivers."""

from sqlalchemy import Connection

from zcbus.control.features.audit_stream import repository
from zcbus.control.features.audit_stream.receivers import WAYS, receiver_of
from zcbus.control.features.audit_stream.schemas import StreamRecord
from zcbus.control.platform.services import Services


def streams(store: Connection, services: Services) -> list[StreamRecord]:
    """The receivers that this control plane's settings name."""
    rows, last = repository.find_all(store), repository.last_sequence(store)
    found = []
    for way in WAYS:
        receiver = receiver_of(services, way)
        if receiver is None:
            continue
        row = rows.get(way)
        found.append(
            StreamRecord(
                way=way,
                address=receiver.address,
                waiting=max(last - (row.sequence if row else 0), 0),
                lost=row.lost if row else 0,
                sent_at=row.sent_at if row else None,
                failing_since=row.failing_since if row else None,
                failure=row.failure if row else None,
            )
        )
    return found
