"""Dictionaries: names of a field's keys in both languages."""

from zcbus.control.features.dictionary.endpoints import api
from zcbus.control.features.dictionary.messages import EN, ZH
from zcbus.control.features.dictionary.service import adopt_stored
from zcbus.control.platform.feature import Feature

feature = Feature(api, ZH, EN, prepare=adopt_stored)
