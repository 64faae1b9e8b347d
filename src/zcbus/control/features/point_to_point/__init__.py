"""Point to point: every sync link as one way from a source straight to a target."""

from zcbus.control.features.point_to_point.endpoints import api
from zcbus.control.platform.feature import Feature

feature = Feature(api)
