"""Shells on hosts and logs of services, over sockets."""

from zcbus.control.features.terminal import log, shell
from zcbus.control.features.terminal.endpoints import api
from zcbus.control.features.terminal.messages import EN, ZH
from zcbus.control.platform.feature import Feature

log.declare(api)
shell.declare(api)

feature = Feature(api, ZH, EN)
