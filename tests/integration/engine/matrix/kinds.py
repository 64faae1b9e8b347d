"""The description of each kind, and which pairs run when.

A kind of the registry that is in none of these is refused by a test: give it a case.
"""

from tests.integration.engine.matrix import databases, files, messages, services
from tests.integration.engine.matrix.sides import Destination, Origin
from tests.support.parts import WIDE_KINDS

from zcbus.connectors.registry import KINDS

NAMED = frozenset(
    {"sqlserver", "oracle", "db2", "dameng", "kingbase", "gaussdb", "tidb", "doris", "snowflake", "bigquery"}
)
"""Kinds whose servers no test can start."""
SLOW = frozenset({*WIDE_KINDS, "hdfs"})
"""Kinds whose servers take long to start."""
_DESCRIBED = [
    one
    for module in (databases, files, messages, services)
    for one in vars(module).values()
    if isinstance(one, type) and issubclass(one, Origin | Destination) and "kind" in vars(one)
]
ORIGINS: dict[str, Origin] = {one.kind: one() for one in _DESCRIBED if issubclass(one, Origin)}
DESTINATIONS: dict[str, Destination] = {one.kind: one() for one in _DESCRIBED if issubclass(one, Destination)}
Pair = tuple[str, str]
"""Kind of the source, kind of the target."""
REFUSED: dict[Pair, frozenset[str]] = {
    (source, "localfiles"): frozenset({"column-reserved"}) for source in ("mqtt", "rabbitmq", "webhook")
}
"""Pairs that the pre-check refuses → the codes of its reasons. A log of changes in files has a column `_op` of its own,
and so have envelopes."""


def every_pair() -> list[Pair]:
    """In the order of the registry, the target changing first."""
    sources = [kind for kind, entry in KINDS.items() if entry.spec.source and kind in ORIGINS]
    targets = [kind for kind, entry in KINDS.items() if entry.spec.target and kind in DESTINATIONS]
    return [(source, target) for source in sources for target in targets]


def walk() -> list[Pair]:
    """A few pairs with each source and each target; servers that are slow to start meet each other."""
    pairs = every_pair()
    sources, targets = (list(dict.fromkeys(pair[side] for pair in pairs)) for side in (0, 1))
    chosen: list[Pair] = []
    for are_slow in (False, True):
        left, right = ([kind for kind in kinds if (kind in SLOW) is are_slow] for kinds in (sources, targets))
        steps = range(max(len(left), len(right)))
        chosen += [(left[step % len(left)], right[(step + 1) % len(right)]) for step in steps]
    return chosen
