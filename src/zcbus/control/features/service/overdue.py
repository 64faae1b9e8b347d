"""The next moment at which states change by time alone.

A service is no longer `normal` when its last progress or its agent's last call is too old; a stopped one may not be
started once the registration is over. Facts that change are reduced when they are stored (`store.reduction`).
"""

from zcbus.control.features.registration import service as registration
from zcbus.control.features.registration.schemas import RegistrationStatus
from zcbus.control.platform.services import Services

SECONDS = 1.0


def reduce_overdue(services: Services) -> None:
    """Have services reduced whose state is another one by now."""
    states = services.database.states
    states.expired = registration.describe(services).status is RegistrationStatus.EXPIRED
    with services.database.read() as connection:
        overdue = states.overdue(connection)
    if overdue:
        with services.database.write() as connection:
            states.mark(connection, overdue)


def reduce_all(services: Services) -> None:
    """At a start: the program that stored the states may have had other rules."""
    states = services.database.states
    states.expired = registration.describe(services).status is RegistrationStatus.EXPIRED
    with services.database.write() as connection:
        states.mark_all(connection)
