"""Alerts: conditions that the platform notices, and messages to subscribers."""

from zcbus.control.features.alert.endpoints import api
from zcbus.control.features.alert.long_calls import raise_alerts
from zcbus.control.features.alert.messages import EN, ZH
from zcbus.control.features.alert.service import remove_old
from zcbus.control.features.alert.watch import evaluate
from zcbus.control.platform.certificates import READ_EVERY, read_own
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(
    api,
    ZH,
    EN,
    periodic=(
        Periodic("alert-certificates", READ_EVERY.total_seconds(), read_own),
        Periodic("alert-watch", 5.0, evaluate),
        Periodic("alert-long-calls", 2.0, raise_alerts),
        Periodic("alert-clean-up", 3600.0, remove_old),
    ),
)
