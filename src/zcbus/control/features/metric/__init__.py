"""Metrics with history: sampling of tables, links, services and hosts, and series of them."""

from zcbus.control.features.metric.endpoints import api
from zcbus.control.features.metric.exposition import register
from zcbus.control.features.metric.forwarding import forward
from zcbus.control.features.metric.messages import EN, ZH
from zcbus.control.features.metric.otlp import EXPORT_SECONDS, export
from zcbus.control.features.metric.sampling import clean_up, sample
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(
    api,
    ZH,
    EN,
    prepare=register,
    periodic=(
        # Oftener than a sample is due, so that none is missed: a turn that finds it written is over at once.
        Periodic("metric-sample", 1.0, sample),
        Periodic("metric-forward", 1.0, forward),
        Periodic("metric-export", EXPORT_SECONDS, export),
        Periodic("metric-clean-up", 3600.0, clean_up),
    ),
)
