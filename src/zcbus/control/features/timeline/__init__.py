"""What happened to a link, or another subject of metrics: acts, alerts, processes, loads, schema changes, plan runs.

Nothing is stored for it: it reads the histories that others keep, as one list.
"""

from zcbus.control.features.timeline.endpoints import api
from zcbus.control.features.timeline.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN)
