"""Verbs for tables: side, right, parameters and reasons for refusal of each.

The server checks every order by these rules. Lists contain the verbs that each table allows, and the console offers
those. `docs/reference/table-orders.md` documents the rules; a test compares them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from zcbus.model.comparison import RUNNING, ComparisonState, RepairState
from zcbus.model.states import PublishState, SyncState
from zcbus.model.table_states import EXCEPTIONS, TABLE_ACTIONS, TableAction


class TableVerb(StrEnum):
    """Verbs for tables. Those that change a subscribed table's state are named like its `TableAction`."""

    RELOAD = "reload"
    SUSPEND = "suspend"
    RESUME = "resume"
    RECOVER = "recover"
    RESET = "reset"
    RESET_START = "reset-start"
    START_INCREMENTAL = "start-incremental"
    ACCEPT_GAP = "accept-gap"
    LIMIT = "limit"
    CLEAN = "clean"
    EDIT = "edit"
    TRANSFER = "transfer"
    REBALANCE = "rebalance"
    UNBIND = "unbind"
    COMPARE = "compare"
    STOP_COMPARING = "stop-comparing"
    REPAIR = "repair"
    DISCARD = "discard"
    VERIFY = "verify"
    REPAIR_DIFFERENCES = "repair-differences"
    RETRY = "retry"
    STOP = "stop"
    PUBLISH_AGAIN = "publish-again"
    SET_KEY = "set-key"
    WITHDRAW = "withdraw"


class Right(StrEnum):
    """Right that the caller needs."""

    OPERATE = "operate"
    EDIT = "edit"
    DELETE = "delete"


ALL_RIGHTS = frozenset(Right)


class LinkTables(StrEnum):
    """Who may use a verb for a table of a sync link."""

    OPERATORS = "operators"
    """Users with the verb's right for sync links, on all pages."""
    DOCUMENT = "document"
    """No user: the link's document decides it."""
    ANYONE = "anyone"
    """Users with the verb's right for subscriptions, because the link does not change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscribedFacts:
    """Facts that determine the verbs of a subscribed table.

    - `changes`: the table receives changes. `suspended`: by its own order.
    - `changes_lost`: the bus does not have all changes.
    - `loads`: its load mode begins with a full load. `loaded`: its rows are in the target, or no load is requested.
    - `needs_load`: the requested settings change its target or key, and nothing would load it.
    - `lacks_rules`: its customer needs ETL rules for every table.
    - `of_link`: it belongs to a sync link; `link_rights`: the caller's rights for sync links.
    - `differs`: its last comparison found differences; `counts_only`: only their number.
    - `has_differences`: verification found differences; `repairs_them`: a repair is requested.
    - `keyless`: the table has no key. `needs_key`: the same, and the requested comparison method needs one.
    - `other_master`, `in_channel`: the requested channel belongs to another master, or has the table.
    - `moved`: the table has changed its channel since.
    """

    state: SyncState
    changes: bool = True
    suspended: bool = False
    changes_lost: bool = False
    loads: bool = True
    loaded: bool = True
    needs_load: bool = False
    lacks_rules: bool = False
    of_link: bool = False
    link_rights: frozenset[Right] = ALL_RIGHTS
    comparison: ComparisonState = ComparisonState.NOT_RUNNING
    repair: RepairState = RepairState.NONE
    differs: bool = False
    counts_only: bool = False
    has_differences: bool = False
    repairs_them: bool = False
    keyless: bool = False
    needs_key: bool = False
    other_master: bool = False
    in_channel: bool = False
    moved: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFacts:
    """Facts that determine the verbs of a published table.

    `received`: by subscribers or stream queries; `computed`: by stream queries. `stopped`: until its full data is
    published again.
    """

    state: PublishState
    received: bool = False
    computed: bool = False
    stopped: bool = False


F = TypeVar("F", SubscribedFacts, PublishedFacts)


@dataclass(frozen=True)
class Refusal(Generic[F]):
    """A reason to refuse a verb. `code`: of the message, whose facts are table, action and state."""

    code: str
    applies: Callable[[F], bool]


@dataclass(frozen=True)
class Rule(Generic[F]):
    """The rule of one verb. `does`: what it changes. `is_met`: the table already is as ordered."""

    right: Right
    does: str
    refusals: tuple[Refusal[F], ...] = ()
    parameters: tuple[str, ...] = ()
    link_tables: LinkTables = LinkTables.OPERATORS
    is_met: Callable[[F], bool] = lambda _: False

    def refusal(self, facts: F) -> str:
        """The code of the first reason that applies; empty: none."""
        return next((one.code for one in self.refusals if one.applies(facts)), "")

    def allows(self, facts: F) -> bool:
        """Whether the order would change something."""
        return not self.is_met(facts) and not self.refusal(facts)


IMPOSSIBLE = "table-action-refused"
_OF_LINK = Refusal[SubscribedFacts]("table-of-link", lambda facts: facts.of_link)
_KEYLESS = Refusal[SubscribedFacts]("verification-append-only", lambda facts: facts.keyless)
_NOT_RUNNING = Refusal[SubscribedFacts](
    "verification-not-running", lambda facts: facts.state is not SyncState.INCREMENTAL_RUNNING
)
_OTHER_MASTER = Refusal[SubscribedFacts]("sheet-other-master", lambda facts: facts.other_master)
_NO_RULES = Refusal[SubscribedFacts]("sheet-no-rules", lambda facts: facts.lacks_rules)
_RECEIVED = Refusal[PublishedFacts]("table-has-subscribers", lambda facts: facts.received)


def _in_state(action: TableAction) -> Refusal[SubscribedFacts]:
    return Refusal(IMPOSSIBLE, lambda facts: action not in TABLE_ACTIONS[facts.state])


def _steering(
    does: str,
    *refusals: Refusal[SubscribedFacts],
    right: Right = Right.OPERATE,
    parameters: tuple[str, ...] = (),
    is_met: Callable[[SubscribedFacts], bool] = lambda _: False,
) -> Rule[SubscribedFacts]:
    foreign = Refusal[SubscribedFacts](
        "table-link-refused", lambda facts: facts.of_link and right not in facts.link_rights
    )
    return Rule(right, does, (foreign, *refusals), parameters, LinkTables.OPERATORS, is_met)


def _setting(
    does: str, right: Right, *refusals: Refusal[SubscribedFacts], parameters: tuple[str, ...] = ()
) -> Rule[SubscribedFacts]:
    return Rule(right, does, (_OF_LINK, *refusals), parameters, LinkTables.DOCUMENT)


def _comparing(
    does: str, *refusals: Refusal[SubscribedFacts], parameters: tuple[str, ...] = ()
) -> Rule[SubscribedFacts]:
    return Rule(Right.OPERATE, does, refusals, parameters, LinkTables.ANYONE)


# Lost changes need a load, which these verbs only start if the load mode includes one.
_STAYS_LOST = Refusal[SubscribedFacts]("table-changes-lost", lambda facts: facts.changes_lost and not facts.loads)

SUBSCRIBED: Mapping[TableVerb, Rule[SubscribedFacts]] = {
    TableVerb.RELOAD: _steering(
        "Begin a new generation with a full load",
        _in_state(TableAction.RELOAD),
        _NO_RULES,
        parameters=("beside",),
    ),
    TableVerb.SUSPEND: _steering("Suspend the table at its position", is_met=lambda facts: facts.suspended),
    TableVerb.RESUME: _steering(
        "Resume at its position; retry what failed",
        Refusal(IMPOSSIBLE, lambda facts: not facts.suspended and TableAction.RESUME not in TABLE_ACTIONS[facts.state]),
        _NO_RULES,
    ),
    TableVerb.RECOVER: _steering(
        "Resume a table with a full or an incremental exception",
        Refusal("sheet-no-exception", lambda facts: facts.state not in EXCEPTIONS),
        _NO_RULES,
    ),
    TableVerb.RESET: _steering("Clear its position and suspend it", _in_state(TableAction.RESET), _STAYS_LOST),
    TableVerb.RESET_START: _steering(
        "Clear its position and begin as its load mode says",
        _in_state(TableAction.RESET_START),
        _STAYS_LOST,
        _NO_RULES,
    ),
    TableVerb.START_INCREMENTAL: _steering(
        "Begin with the changes at a position; with hold only set it",
        _in_state(TableAction.START_INCREMENTAL),
        Refusal("table-takes-no-changes", lambda facts: not facts.changes),
        Refusal("table-changes-lost", lambda facts: facts.changes_lost),
        _NO_RULES,
        parameters=("time or offset", "hold"),
    ),
    TableVerb.ACCEPT_GAP: _steering(
        "Continue without the lost changes",
        _in_state(TableAction.ACCEPT_GAP),
        Refusal("table-takes-no-changes", lambda facts: not facts.changes),
        Refusal("table-gap-not-loaded", lambda facts: not facts.loaded),
        _NO_RULES,
    ),
    TableVerb.LIMIT: _steering(
        "Set how many row errors may be open, and how many failing changes are skipped",
        right=Right.EDIT,
        parameters=("errorLimit", "dmlSkip", "ddlSkip"),
    ),
    TableVerb.CLEAN: _setting("Set how full loads clean, and what DDL does", Right.EDIT, parameters=("clean", "ddl")),
    # A document and a policy change their own tables by the same rule: `subscribe.settings_change`.
    TableVerb.EDIT: _setting(
        "Set target, columns, conditions and ETL rules; a table whose rows change is loaded again",
        Right.EDIT,
        Refusal("table-needs-load", lambda facts: facts.needs_load),
        parameters=("settings",),
    ),
    TableVerb.TRANSFER: _setting(
        "Resume at another channel of its master",
        Right.OPERATE,
        _OTHER_MASTER,
        Refusal("sheet-there-already", lambda facts: facts.in_channel),
        parameters=("channel",),
    ),
    TableVerb.REBALANCE: _setting(
        "Move it as a preview planned",
        Right.OPERATE,
        _OTHER_MASTER,
        Refusal("sheet-moved-meanwhile", lambda facts: facts.moved),
        parameters=("moves",),
    ),
    TableVerb.UNBIND: _setting("Subscribe it no longer; keep its position for a while", Right.DELETE),
    TableVerb.COMPARE: _comparing(
        "Compare it with its source once",
        Refusal("comparison-append-only", lambda facts: facts.needs_key),
        Refusal("comparison-under-way", lambda facts: facts.comparison in RUNNING),
        # Another comparison would discard the differences to repair.
        Refusal("comparison-repair-first", lambda facts: facts.repair is RepairState.ALLOWED),
        Refusal("comparison-repairing", lambda facts: facts.repair is RepairState.REPAIRING),
        parameters=("method", "columns", "rounds"),
    ),
    TableVerb.STOP_COMPARING: _comparing(
        "Stop the comparison that is under way",
        Refusal("comparison-not-under-way", lambda facts: facts.comparison not in RUNNING),
    ),
    TableVerb.REPAIR: _comparing(
        "Write the rows that differ as they are in the source",
        Refusal("comparison-counts-only", lambda facts: facts.counts_only),
        Refusal("comparison-not-over", lambda facts: facts.comparison in RUNNING),
        Refusal("comparison-abnormal", lambda facts: facts.comparison is ComparisonState.ERROR),
        Refusal("comparison-repairing", lambda facts: facts.repair is RepairState.REPAIRING),
        Refusal(
            "comparison-nothing-to-repair",
            lambda facts: facts.comparison is not ComparisonState.DONE or not facts.differs,
        ),
    ),
    TableVerb.DISCARD: _comparing(
        "Forget what the last comparison found",
        Refusal("comparison-nothing-to-discard", lambda facts: facts.repair is not RepairState.ALLOWED),
    ),
    TableVerb.VERIFY: _comparing("Verify it before all others", _KEYLESS, _NOT_RUNNING),
    TableVerb.REPAIR_DIFFERENCES: _comparing(
        "Write the rows that verification found as they are in the source",
        Refusal("verification-nothing-to-repair", lambda facts: not facts.has_differences),
        Refusal("verification-repairing", lambda facts: facts.repairs_them),
        _KEYLESS,
        _NOT_RUNNING,
    ),
}

_FAILED_TO_PUBLISH = (PublishState.PUBLISH_FAILED, PublishState.NO_PRIMARY_KEY)

PUBLISHED: Mapping[TableVerb, Rule[PublishedFacts]] = {
    TableVerb.RETRY: Rule(
        Right.OPERATE,
        "Try again to publish it",
        (_RECEIVED, Refusal(IMPOSSIBLE, lambda facts: facts.state not in _FAILED_TO_PUBLISH)),
    ),
    TableVerb.STOP: Rule(
        Right.OPERATE,
        "Capture it no longer; subscribers give up their position",
        (Refusal("table-is-computed-from", lambda facts: facts.computed),),
        is_met=lambda facts: facts.stopped,
    ),
    TableVerb.PUBLISH_AGAIN: Rule(Right.OPERATE, "Publish its full data again", (_RECEIVED,)),
    TableVerb.SET_KEY: Rule(
        Right.EDIT, "Identify rows by other columns; publish its full data again", (_RECEIVED,), ("key", "appendOnly")
    ),
    TableVerb.WITHDRAW: Rule(Right.EDIT, "Publish it no longer", (_RECEIVED,)),
}

# Comparison and verification have records of their own with their verbs.
_OF_RECORDS = frozenset(
    {
        TableVerb.COMPARE,
        TableVerb.STOP_COMPARING,
        TableVerb.REPAIR,
        TableVerb.DISCARD,
        TableVerb.VERIFY,
        TableVerb.REPAIR_DIFFERENCES,
    }
)


def subscribed_verbs(facts: SubscribedFacts) -> list[TableVerb]:
    """The verbs that a subscribed table allows now, without those of its comparison and verification."""
    return [verb for verb, rule in SUBSCRIBED.items() if verb not in _OF_RECORDS and rule.allows(facts)]


def published_verbs(facts: PublishedFacts) -> list[TableVerb]:
    """The verbs that a published table allows now."""
    return [verb for verb, rule in PUBLISHED.items() if rule.allows(facts)]
