"""Master keys: their rotation while control planes run, and what still needs which key.

Commands of the host change keys (`zcbus key`); each control plane reports which keys it holds.
"""

from zcbus.control.features.master_key.holders import report
from zcbus.control.features.master_key.messages import EN, ZH
from zcbus.control.platform.feature import Feature, Periodic
from zcbus.control.platform.routing import Api

feature = Feature(Api("master-key"), ZH, EN, periodic=(Periodic("master-key", 5.0, report),))
