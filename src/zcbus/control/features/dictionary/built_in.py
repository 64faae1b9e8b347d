"""The dictionaries that the platform brings. Their keys are its own; their names are texts of console and server.

A custom text is thus the item's name, and the other way round: what is changed in a dictionary changes the label in
every list, and what is not changed follows the version.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from zcbus.connectors.spec import GROUPS
from zcbus.model.states import LinkState, PublishState, ServiceState, SyncState
from zcbus.protocol.service_kinds import SERVICE_KINDS

SERVICE_SUB_TYPE = "customer_sub_type"


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A dictionary; an item's value is its key."""

    dict_type: str
    items: Mapping[str, tuple[str, ...]]
    """Text keys by item key (`features.translation.shipped`). The first is the item's name; all are changed with it."""

    @property
    def name_key(self) -> str:
        """Text key of the dictionary's name."""
        return f"server:dictionary-name.{self.dict_type}"

    @property
    def text_keys(self) -> Iterable[str]:
        """Text keys of all its names."""
        return (self.name_key, *(keys[0] for keys in self.items.values()))


def _states(dict_type: str, states: Iterable[StrEnum]) -> BuiltIn:
    return BuiltIn(dict_type, {state.value: (f"common:state.{state}",) for state in states})


BUILT_IN: Mapping[str, BuiltIn] = {
    dictionary.dict_type: dictionary
    for dictionary in (
        BuiltIn("user_status", {key: (f"authority:status.{key}",) for key in ("0", "1", "2")}),
        BuiltIn("document_type", {"0": ("person:document.idCard",), "1": ("person:document.hrNumber",)}),
        BuiltIn(
            "alert_level",
            {
                "0": ("alert:level.general", "server:notice.level.0"),
                "1": ("alert:level.attention", "server:notice.level.1"),
                "3": ("alert:level.important", "server:notice.level.3"),
            },
        ),
        # Types of services in containers.
        BuiltIn(SERVICE_SUB_TYPE, {kind: (f"service-kind:{kind}",) for kind in SERVICE_KINDS}),
        # Groups of the kinds of data sources, in the order of the choose-a-type dialog.
        BuiltIn("sys_module_type_group", {group: (f"server:kind-group.{group}",) for group in GROUPS}),
        _states("link_state", LinkState),
        _states("subscribed_table_state", SyncState),
        _states("published_table_state", PublishState),
        _states("service_state", ServiceState),
    )
}
