"""Containers as an operator keeps them: made, described, counted, removed; and how hosts join them."""

from zcbus.control.features.cluster.endpoints import api
from zcbus.control.features.cluster.joining import remove_expired
from zcbus.control.features.cluster.messages import EN, ZH
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(api, ZH, EN, periodic=(Periodic("join-tokens", 600.0, remove_expired),))
