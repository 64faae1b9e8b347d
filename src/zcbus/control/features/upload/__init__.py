"""Uploads: files that users bring, received in parts, checked by their content, kept in a folder or a bucket."""

from zcbus.control.features.upload.cleaning import clean
from zcbus.control.features.upload.endpoints import api
from zcbus.control.features.upload.messages import EN, ZH
from zcbus.control.platform.feature import Feature, Periodic

feature = Feature(api, ZH, EN, periodic=(Periodic("uploads", 600.0, clean),))
