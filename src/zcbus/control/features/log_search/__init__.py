"""Search in the logs of services and agents, which are asked where they run."""

from collections.abc import Mapping

from zcbus.control.features.log_search.endpoints import api
from zcbus.control.platform.feature import Feature

_NO_TEXTS: Mapping[str, str] = {}

feature = Feature(api, _NO_TEXTS, _NO_TEXTS)
