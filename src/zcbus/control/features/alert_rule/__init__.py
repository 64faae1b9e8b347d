"""Own alert rules: conditions of metrics that a tenant chooses, tried on the history, evaluated with each sample."""

from zcbus.control.features.alert_rule.endpoints import api
from zcbus.control.features.alert_rule.evaluation import evaluate
from zcbus.control.features.alert_rule.messages import EN, ZH
from zcbus.control.platform.feature import Feature, Periodic

# Oftener than a sample comes: a turn that finds it evaluated is over at once.
feature = Feature(api, ZH, EN, periodic=(Periodic("alert-rules", 2.0, evaluate),))
