"""What happened to a link, or another subject of metrics: acts, alerts, processes, loads, schema changes, plan runs,
deployments.

It reads the histories that others keep, as one list.
"""

import socket
from importlib.metadata import version

from zcbus.control.features.timeline.endpoints import api
from zcbus.control.features.timeline.messages import EN, ZH
from zcbus.control.platform.feature import Feature
from zcbus.control.platform.services import Services
from zcbus.control.store.deployments import Program, note_version


def _note_own_version(services: Services) -> None:
    program = Program(services.instance, socket.gethostname())
    with services.database.write() as connection:
        note_version(connection, program, version("zcbus"), services.clock.now())


feature = Feature(api, ZH, EN, prepare=_note_own_version)
