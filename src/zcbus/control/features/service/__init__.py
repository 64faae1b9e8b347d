"""Service management: the services of all containers, their operations and results."""

from zcbus.control.features.service.endpoints import api
from zcbus.control.features.service.messages import EN, ZH
from zcbus.control.features.service.overdue import SECONDS, reduce_all, reduce_overdue
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(api, ZH, EN, prepare=reduce_all, periodic=(Periodic("states", SECONDS, reduce_overdue),))
