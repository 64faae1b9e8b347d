"""How far calls are that take long; see `control.platform.progress`."""

from zcbus.control.features.progress.endpoints import api
from zcbus.control.features.progress.messages import EN, ZH
from zcbus.control.platform.feature import Feature, Periodic
from zcbus.control.platform.progress import remove_left_over

feature = Feature(api, ZH, EN, periodic=(Periodic("call-progress", 3600.0, remove_left_over),))
