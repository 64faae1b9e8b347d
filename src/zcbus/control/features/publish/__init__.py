"""Publish nodes: source databases and the tables published from them. A sync link creates, changes and removes its own
node through `service`."""

from zcbus.control.features.publish import retained_log
from zcbus.control.features.publish.endpoints import api
from zcbus.control.features.publish.messages import EN, ZH
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(api, ZH, EN, periodic=(Periodic("held-log", retained_log.SECONDS, retained_log.watch_retained_log),))
