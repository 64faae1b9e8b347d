"""Everything that data passes through, as a graph draws it: databases, services, topics."""

from zcbus.control.features.flow_path.endpoints import api
from zcbus.control.platform.feature import Feature

feature = Feature(api)
