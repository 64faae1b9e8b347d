"""Events for open pages: what kind of thing changed, so that they ask again at once and seldom for nothing."""

from zcbus.control.features.live import feed
from zcbus.control.features.live.endpoints import api
from zcbus.control.features.live.messages import EN, ZH
from zcbus.control.platform import tickets
from zcbus.control.platform.feature import Feature
from zcbus.control.platform.short_lived import short_lived
from zcbus.control.store.tables.machine import socket_ticket

feed.declare(api)

feature = Feature(api, ZH, EN, caches=(short_lived("socket-tickets", socket_ticket, tickets.LIFETIME),))
