"""Signing in and out."""

from zcbus.control.features.session.endpoints import api
from zcbus.control.features.session.housekeeping import remove_expired
from zcbus.control.features.session.messages import EN, ZH
from zcbus.control.features.session.pending import LIFETIME
from zcbus.control.platform.feature import Feature, Periodic
from zcbus.control.platform.short_lived import short_lived
from zcbus.control.store.tables.identity import pending_sign_in

feature = Feature(
    api,
    ZH,
    EN,
    periodic=(Periodic("sessions", 60, remove_expired),),
    caches=(short_lived("pending-sign-ins", pending_sign_in, LIFETIME),),
)
