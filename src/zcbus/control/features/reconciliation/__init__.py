"""What became of published changes: both sides of each topic, reconciled by subscriber and table."""

from zcbus.control.features.reconciliation.endpoints import api
from zcbus.control.platform.feature import Feature

feature = Feature(api)
