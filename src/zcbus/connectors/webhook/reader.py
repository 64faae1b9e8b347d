"""Requests as acknowledged messages; see consuming.acknowledging.Acknowledging.

Senders are the broker: each keeps what it sends until it is answered with 2xx, and sends it again. Nothing is kept here
over restarts, so nothing here can be lost.
"""

from collections.abc import Collection, Hashable, Iterable, Sequence

from zcbus.connectors.consuming.acknowledging.reader import Delivery
from zcbus.connectors.consuming.consumer import Topic
from zcbus.connectors.errors import SourceNotReady
from zcbus.connectors.webhook.admission import Gate
from zcbus.connectors.webhook.contents import Contents, Refused
from zcbus.connectors.webhook.listener import Listener
from zcbus.connectors.webhook.schemes import Scheme
from zcbus.connectors.webhook.spec import WebhookOptions
from zcbus.connectors.webhook.verification import SecretUnusable, require_usable
from zcbus.connectors.webhook.waiting import Answer, Request

_MAX_BYTES = 8 << 20
_STORED = Answer(200, '{"stored": true}')
_Parts = list[tuple[Request, list[Delivery]]]


class WebhookReader:
    """Listens with `begin` only."""

    def __init__(self, options: WebhookOptions) -> None:
        self._options = options
        self._listener: Listener | None = None
        self._contents = Contents(options)
        self._asked = 0
        """Number of the last request that had come when it was asked."""

    def identity(self) -> str:
        return self._options.address

    def names(self) -> list[str]:
        return self._options.paths()

    def topics(self, names: Iterable[str]) -> dict[str, Topic]:
        selected = self._options.paths()
        return {name: Topic(name, "", (0,)) for name in names if name in selected}

    def begin(self, topics: Sequence[str], removed: Sequence[str], begun: Collection[str]) -> Collection[str]:
        """Nothing is ever lost here: what was not stored was not answered with 2xx. Raises SourceNotReady."""
        self._listener = Listener(self._options, [gate_of(self._options, path) for path in topics])
        return ()

    def read(self, timeout: float) -> Sequence[Delivery]:
        listener = self._opened
        taken = listener.waiting.take(timeout, _MAX_BYTES)
        if not taken:
            listener.require_alive()
        return [delivery for _, deliveries in self._readable(taken) for delivery in deliveries]

    def acknowledge(self, tokens: Sequence[Hashable]) -> None:
        numbers = [token for token in tokens if isinstance(token, int)]
        self._opened.waiting.answer(numbers, _STORED)

    def ask(self) -> None:
        self._asked = self._opened.waiting.last

    def is_drained(self) -> bool:
        return not self._opened.waiting.has(self._asked)

    def forget(self) -> None:
        """Nothing is kept."""

    def close(self) -> None:
        if self._listener is not None:
            self._listener.close()

    @property
    def _opened(self) -> Listener:
        assert self._listener is not None
        return self._listener

    def _readable(self, requests: Sequence[Request]) -> _Parts:
        """Those that are rows of their tables; the others are answered, and stop nothing."""
        by_path: dict[str, _Parts] = {}
        for request in requests:
            try:
                deliveries = self._contents.deliveries(request)
            except Refused as refused:
                self._opened.waiting.answer([request.number], refused.answer)
                continue
            if deliveries:
                by_path.setdefault(request.path, []).append((request, deliveries))
            else:
                self._opened.waiting.answer([request.number], _STORED)  # an empty list has no rows
        return [one for path, parts in by_path.items() for one in self._fitting(path, parts)]

    def _fitting(self, path: str, parts: _Parts) -> _Parts:
        if not self._contents.fault(path, [one for _, deliveries in parts for one in deliveries]):
            return parts
        fitting: _Parts = []
        for request, deliveries in parts:  # each by itself, to find those that do not fit
            if fault := self._contents.fault(path, deliveries):
                self._opened.waiting.answer([request.number], Answer(400, fault[:500]))
            else:
                fitting.append((request, deliveries))
        return fitting


def gate_of(options: WebhookOptions, path: str) -> Gate:
    """What a path wants of its senders. Raises SourceNotReady where none could ever send."""
    scheme, secrets = options.scheme(path), options.secrets_of(path)
    if scheme is None:
        raise _not_ready(options, "verification", path, f"{path}: …")
    try:
        require_usable(scheme, secrets)
    except SecretUnusable as error:
        raise _not_ready(options, "secret", f"{path}: {error}", _expected(scheme)) from error
    return Gate(path, scheme, tuple(secrets), tuple(options.tokens_of(path)))


def _expected(scheme: Scheme) -> str:
    return {"standard": "whsec_…", "basic": "USER:PASSWORD"}.get(scheme.name, "a secret")


def _not_ready(options: WebhookOptions, setting: str, value: str, expected: str) -> SourceNotReady:
    return SourceNotReady(kind=options.kind, setting=setting, value=value, expected=expected)
