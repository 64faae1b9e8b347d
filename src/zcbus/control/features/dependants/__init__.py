"""What depends on an object that is to be deleted, for the question before each deletion."""

from zcbus.control.features.dependants.endpoints import api
from zcbus.control.platform.feature import Feature

feature = Feature(api)
