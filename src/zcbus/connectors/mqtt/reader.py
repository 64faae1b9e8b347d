"""Reading topics with a persistent session; see consuming.acknowledging.Acknowledging.

The broker keeps the session under the client's id, with the subscriptions and the messages that were not acknowledged.
"""

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence

from zcbus.connectors.consuming.acknowledging.reader import Delivery
from zcbus.connectors.consuming.consumer import Topic, TopicTrouble
from zcbus.connectors.errors import SourceNotReady
from zcbus.connectors.mqtt.filters import levels, matches, subscription_identifier
from zcbus.connectors.mqtt.link import RETAINED_ONCE, Answered, MqttLink, Received
from zcbus.connectors.mqtt.spec import MqttOptions
from zcbus.kit.logging import get_logger

_MAX_MESSAGES, _MAX_BYTES = 5000, 8 << 20
_SHARED, _NOT_AUTHORIZED = "$share/", 0x87


class MqttReader:
    """Connects with `begin` and `forget` only."""

    def __init__(self, options: MqttOptions, node: str = "") -> None:
        """`node`: whose session is read; empty: topics are listed only."""
        self._options, self._node = options, node
        self._link: MqttLink | None = None
        self._followed: dict[str, int] = {}
        """Topic filter → identifier of its subscription."""
        self._unreliable: set[str] = set()
        """Filters that messages with QoS 0 came for."""
        self._acknowledged = self._most_open = 0
        self._asked: tuple[int, int] | None = None
        """Number of the open question, and how many messages were acknowledged before it."""
        self._is_drained = False

    def identity(self) -> str:
        return self._options.address

    def names(self) -> list[str]:
        return self._options.filters()

    def topics(self, names: Iterable[str]) -> dict[str, Topic]:
        selected = self._options.filters()
        return {name: _topic(name) for name in names if name in selected}

    def begin(self, topics: Sequence[str], removed: Sequence[str], begun: Collection[str]) -> Collection[str]:
        """All topics are of one session."""
        seconds = self._options.expiry * 3600
        self._link = link = MqttLink(self._options, self._client_id, clean=not begun, expiry=seconds)
        if begun and not link.has_session:
            # Else the next connection would find this session, and take it for the lost one.
            link.close(expiry=0)
            return begun
        if link.granted("SessionExpiryInterval") == 0:
            raise SourceNotReady(kind=self._options.kind, setting="Session Expiry Interval", value=0, expected=seconds)
        self._followed = {name: subscription_identifier(name) for name in topics}
        for name in removed:
            link.unsubscribe(name)
        for name in topics:
            require_subscribed(name, link.subscribe(name, RETAINED_ONCE).value)
        return ()

    def read(self, timeout: float) -> Sequence[Delivery]:
        found: list[Delivery] = []
        for one in self._opened.take(timeout, _MAX_BYTES, _MAX_MESSAGES):
            if isinstance(one, Answered):
                self._note_answer(one)
            else:
                found.extend(self._deliveries(one))
        return found

    def acknowledge(self, tokens: Sequence[Hashable]) -> None:
        for token in tokens:
            assert isinstance(token, int)
            self._opened.acknowledge(token)
        self._acknowledged += len(tokens)

    def ask(self) -> None:
        self._is_drained, self._asked = False, None
        self._asked = (self._opened.ask(), self._acknowledged)

    def is_drained(self) -> bool:
        return self._is_drained

    def forget(self) -> None:
        MqttLink(self._options, self._client_id, clean=True, expiry=0).close()

    def close(self) -> None:
        if self._link is not None:
            self._link.close()

    @property
    def _client_id(self) -> str:
        return f"{self._options.client}{self._node}"

    @property
    def _opened(self) -> MqttLink:
        assert self._link is not None
        return self._link

    def _note_answer(self, one: Answered) -> None:
        """A broker sends as long as fewer messages are open than it allows, which it does not say. If fewer were open
        when it answered than at another time, it had no more."""
        if self._asked is None or self._asked[0] != one.number:
            return
        is_open = one.received - self._asked[1]
        self._is_drained = is_open == 0 or is_open < self._most_open
        self._most_open = max(self._most_open, is_open)

    def _deliveries(self, received: Received) -> Iterator[Delivery]:
        """One for each subscription that the message came for. The last one acknowledges it."""
        message = received.message
        token = message.mid if message.qos else None
        names = self._subscribed(received)
        if not names and token is not None:
            self.acknowledge([token])  # of a topic that is read no longer
        headers = [(name, value.encode()) for name, value in getattr(message.properties, "UserProperty", ())]
        for place, name in enumerate(names):
            self._note_quality(name, message.qos)
            more = [str(message.qos), "t" if message.retain else "f", *levels(name, message.topic)]
            last = token if place == len(names) - 1 else None
            key, value = message.topic.encode(), bytes(message.payload)
            yield Delivery(name, received.time_ms, key, value, headers, more, last)

    def _subscribed(self, received: Received) -> list[str]:
        """A broker that does not name subscriptions may deliver a message once for several."""
        topic, named = received.message.topic, getattr(received.message.properties, "SubscriptionIdentifier", None)
        fitting = [name for name in self._followed if matches(name, topic)]
        return fitting if named is None else [name for name in fitting if self._followed[name] in named]

    def _note_quality(self, name: str, qos: int) -> None:
        if qos == 0 and name not in self._unreliable:
            self._unreliable.add(name)
            get_logger("mqtt").warning("messages with QoS 0 may be lost", topic=name, address=self._options.address)


def require_subscribed(topic_filter: str, code: int) -> None:
    """Raise TopicTrouble unless the broker granted QoS 1: below it nothing is kept for an absent reader."""
    if code == _NOT_AUTHORIZED:
        raise TopicTrouble(topic_filter, "topic-denied", topic_filter)
    if code not in (1, 2):
        raise TopicTrouble(topic_filter, "subscription-refused", f"{topic_filter}: 0x{code:02X}")


def _topic(name: str) -> Topic:
    """Raises TopicTrouble for a shared subscription, whose messages others get, too."""
    if name.startswith(_SHARED):
        raise TopicTrouble(name, "subscription-refused", name)
    return Topic(name, "", (0,))
