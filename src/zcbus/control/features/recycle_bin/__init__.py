"""Recycle bin: deleted objects that can be restored until they expire."""

from zcbus.control.features.recycle_bin.endpoints import api
from zcbus.control.features.recycle_bin.messages import EN, ZH
from zcbus.control.features.recycle_bin.service import purge_expired
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(api, ZH, EN, periodic=(Periodic("recycle-bin", 3600.0, purge_expired),))
