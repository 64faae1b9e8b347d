"""Dictionaries: names of a field's keys in both languages."""

from zcbus.control.features.dictionary.endpoints import api
from zcbus.control.features.dictionary.messages import EN, ZH
from zcbus.control.features.dictionary.service import store_defaults
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN, prepare=store_defaults)
