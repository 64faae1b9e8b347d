"""Translation: the operator's custom texts over the shipped ones, in both languages."""

from zcbus.control.features.translation.caches import CACHES
from zcbus.control.features.translation.endpoints import api
from zcbus.control.features.translation.messages import EN, ZH
from zcbus.control.features.translation.use import refresh_messages
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(
    api,
    ZH,
    EN,
    prepare=refresh_messages,
    # Replicas of the control plane learn of a change here; so does the one that made it.
    periodic=(Periodic("custom-texts", 5.0, refresh_messages),),
    caches=CACHES,
)
