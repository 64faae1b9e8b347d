"""Containers for operators: create, describe, count, remove; and the joining of hosts."""

from zcbus.control.features.cluster.endpoints import api
from zcbus.control.features.cluster.joining import remove_expired
from zcbus.control.features.cluster.messages import EN, ZH
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(api, ZH, EN, periodic=(Periodic("join-tokens", 600.0, remove_expired),))
