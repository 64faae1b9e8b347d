"""The control plane's side of its talk with agents."""

from zcbus.control.features.agent_gateway.endpoints import api
from zcbus.control.features.agent_gateway.messages import EN, ZH
from zcbus.control.platform.caches import Cache
from zcbus.control.platform.feature import Feature

feature = Feature(
    api,
    ZH,
    EN,
    caches=(
        Cache(
            "orders",
            "process",
            measure=lambda services: services.editions.figures(),
            clear=lambda services: services.editions.clear(),
        ),
    ),
)
