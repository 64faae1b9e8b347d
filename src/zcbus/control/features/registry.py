"""Every feature of the control plane, in one literal list."""

from zcbus.control.features.parameter import feature as parameter
from zcbus.control.platform.feature import Feature

FEATURES: tuple[Feature, ...] = (parameter,)
