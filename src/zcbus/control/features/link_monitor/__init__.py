"""The heartbeat of every link, hop by hop: source, capture, bus, apply, target."""

from zcbus.control.features.link_monitor.endpoints import api
from zcbus.control.platform.feature import Feature

feature = Feature(api)
