"""Signing in and out."""

from zcbus.control.features.session.endpoints import api
from zcbus.control.features.session.housekeeping import remove_expired
from zcbus.control.features.session.messages import EN, ZH
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(api, ZH, EN, periodic=(Periodic("sessions", 60, remove_expired),))
