"""The documentation in the console's help."""

from zcbus.control.features.help.documents import CACHE
from zcbus.control.features.help.endpoints import api
from zcbus.control.features.help.messages import EN, ZH
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN, caches=(CACHE,))
