"""Anomalies, counted by class, cause and object.

The alerts are the history of it: each is one occurrence, from its beginning to its recovery.
"""

from collections.abc import Mapping

from zcbus.control.features.anomaly_statistics.endpoints import api
from zcbus.control.platform.feature import Feature

_NO_TEXTS: Mapping[str, str] = {}

feature = Feature(api, _NO_TEXTS, _NO_TEXTS)
