"""The connection test of a target. It writes nothing, unless the document declares a request for it."""

from collections.abc import Callable

from zcbus.connectors.errors import AccessDenied
from zcbus.connectors.http.client import Client, HttpRefusal, Message
from zcbus.connectors.http.document import Interface
from zcbus.connectors.http.spec import HttpOptions
from zcbus.connectors.http.target.document import WebhookPart
from zcbus.connectors.http.target.signing import secrets_of
from zcbus.connectors.http.templates import ValueMissing
from zcbus.connectors.roles import CheckResult
from zcbus.kit.errors import ZcbusError


def check_target(options: HttpOptions, interface: Interface) -> list[CheckResult]:
    """Whether the document has targets, events can be signed, and the service accepts who signs in."""
    names = ", ".join(one.name for one in interface.targets)
    found = [CheckResult("resource", "targets", bool(names), True, names, "" if names else "targets:", "document")]
    if any(isinstance(one, WebhookPart) and one.signed for one in interface.targets):
        count = len(secrets_of(options.signing))
        found.append(CheckResult("configuration", "webhook-signature", bool(count), True, str(count), "", "account"))
    if not all(one.ok for one in found):
        return found
    client = Client(options, interface, patient=False)
    try:
        found.append(_tried("login", interface.auth.type, client.sign_in))
        probe = interface.probe
        if probe is not None and found[-1].ok:
            message = Message(probe.method, {}, b"")
            statement = f"{probe.method} {probe.path}"
            found.append(_tried("resource", statement, lambda: client.submit(probe.path, {}, message)))
    finally:
        client.close()
    return found


def _tried(item: str, statement: str, step: Callable[[], object]) -> CheckResult:
    try:
        step()
    except AccessDenied as error:
        return CheckResult("login", statement, False, True, str(error.facts["detail"]), "", "account")
    except (HttpRefusal, ValueMissing) as error:
        return CheckResult(item, statement, False, True, str(error), "", "document")
    except ZcbusError as error:
        return CheckResult("reachable", statement, False, True, str(error.facts.get("detail", error)), "", "address")
    return CheckResult(item, statement, True, True, "")
