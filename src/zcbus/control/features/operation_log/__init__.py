"""The operation log: who did what, from where, with what result, and the proof that it is as it was written."""

from zcbus.control.features.operation_log.endpoints import api
from zcbus.control.features.operation_log.kept_head import keep_head
from zcbus.control.features.operation_log.messages import EN, ZH
from zcbus.control.features.operation_log.retention import remove_old
from zcbus.control.features.operation_log.verification import verify_if_due
from zcbus.control.platform import audit_chain
from zcbus.control.platform.feature import Feature, Periodic
from zcbus.control.platform.services import Services

_REMOVAL_SECONDS, _HEAD_SECONDS, _VERIFICATION_SECONDS = 3600.0, 10.0, 60.0


def _prepare(services: Services) -> None:
    with services.database.write_alone() as store:
        audit_chain.begin(store, services.secrets, services.clock.now())


feature = Feature(
    api,
    ZH,
    EN,
    prepare=_prepare,
    periodic=(
        Periodic("operation-log", _REMOVAL_SECONDS, remove_old),
        Periodic("audit-head", _HEAD_SECONDS, keep_head),
        Periodic("audit-verification", _VERIFICATION_SECONDS, verify_if_due),
    ),
)
