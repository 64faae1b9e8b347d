"""The operation log streamed to a file, a syslog server, a webhook."""

from functools import partial

from zcbus.control.features.audit_stream.endpoints import api
from zcbus.control.features.audit_stream.messages import EN, ZH
from zcbus.control.features.audit_stream.receivers import WAYS
from zcbus.control.features.audit_stream.sending import send_new
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(
    api,
    ZH,
    EN,
    # Each in a thread of its own: a receiver that does not answer delays no other one.
    periodic=tuple(Periodic(f"audit-{way}", 1.0, partial(send_new, way=way)) for way in WAYS),
)
