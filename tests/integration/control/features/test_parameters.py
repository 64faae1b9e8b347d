"""System parameters: who changes them, and to which values."""

from typing import Any

import pytest
import sqlalchemy as sa

from tests.integration.control.features.conftest import Caller
from tests.integration.control.features.people import administrator_of
from tests.support.control_plane import ControlPlane
from zcbus.control.store.tables.audit import audit_record
from zcbus.model.properties import PROPERTIES

UPDATE = "bus-sys-parameter/update"
CONSOLE = {"isDeleteCode": True, "leftLowerText": "ACME", "countdown": 30}


def test_a_parameter_is_changed_and_the_log_records_it(plane: ControlPlane, admin: Caller) -> None:
    admin.call(UPDATE, {"variableName": "sys_config", "value": {**CONSOLE, "more": [1]}})
    path = "bus-sys-parameter/getByVariableName?variableName=sys_config"
    found = plane.get(path, admin.token).json()["data"]
    assert found["value"] == {**CONSOLE, "more": [1], "serviceUrl": "", "websocketUrl": ""}
    assert (found["module"], found["description"][:8]) == ("system", "Console:")
    with plane.services.database.read() as connection:
        record = connection.execute(sa.select(audit_record).order_by(audit_record.c.id.desc())).first()
    assert record is not None
    assert (record.action, record.before["value"]["countdown"], record.after["value"]["countdown"]) == (
        "parameter_update",
        10,
        30,
    )


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("sys_config", {**CONSOLE, "countdown": 0}, "parameter-value"),
        ("sys_config", {**CONSOLE, "isDeleteCode": "yes"}, "parameter-value"),
        ("sys_config", {"countdown": 5}, "parameter-value"),
        # Who could change it would receive the sessions of all.
        ("sys_config", {**CONSOLE, "serviceUrl": "https://elsewhere.example"}, "parameter-value"),
        ("sys_config", "text", "parameter-value"),
        ("sys_config", {**CONSOLE, "homeLogo": "https://elsewhere/logo.png"}, "parameter-value"),
        ("sys_config", {**CONSOLE, "homeHeaderText": "x" * 41}, "parameter-value"),
        ("alert_lag_seconds", 0, "parameter-value"),
        ("alert_lag_seconds", True, "parameter-value"),
        ("front_addresses", {"south": "javascript:alert(1)"}, "parameter-value"),
        ("nothing", 1, "parameter-unknown"),
    ],
)
def test_wrong_values_change_nothing(plane: ControlPlane, admin: Caller, name: str, value: Any, error: str) -> None:
    before = plane.get("bus-sys-parameter/list", admin.token).json()["data"]
    assert admin.refused(UPDATE, {"variableName": name, "value": value})["data"]["error"] == error
    assert plane.get("bus-sys-parameter/list", admin.token).json()["data"] == before


def test_parameters_are_the_whole_platforms(plane: ControlPlane, admin: Caller) -> None:
    south = administrator_of(plane, "south")
    assert south.refused(UPDATE, {"variableName": "sys_config", "value": CONSOLE})["code"] == 40103
    names = [
        item["variableName"]
        for item in south.call("common/parameter/module/getMsgParaListByModule", {"module": "alert"})
    ]
    assert names == ["alert_expiry_hours", "alert_held_log_mb", "alert_lag_seconds"]


def test_properties_of_containers_are_a_module(plane: ControlPlane, admin: Caller) -> None:
    """The specification's name of the module; what a container has set is listed with the container."""
    module = "bus_cluster_container_properties"
    listed = admin.call("common/parameter/module/getMsgParaListByModule", {"module": module})
    assert [one["variableName"] for one in listed] == list(PROPERTIES)
    assert {one["module"] for one in listed} == {module}
    memory = listed[0]
    assert (memory["value"], memory["updatedAt"]) == (PROPERTIES["worker.memory"].default, None)
    (container,) = admin.call("container/list")
    path = "container/cluster/customer/getBusClusterContainerPropertiesListByContainerAndMid"
    set_there = admin.call(path, {"containerid": container["id"]})
    keys = [f"{group['module']}.{one['name']}" for group in set_there for one in group["properties"]]
    assert keys == [one["variableName"] for one in listed]


def test_parameters_are_searched_sorted_and_paged_by_the_server(admin: Caller) -> None:
    def names(**request: Any) -> list[str]:
        records = admin.call("bus-sys-parameter/page", request)["records"]
        return [record["variableName"] for record in records]

    everything = names()
    assert everything == sorted(everything)
    assert names(sort="variableName", order="desc") == everything[::-1]
    first = admin.call("bus-sys-parameter/page", {"size": 2})
    assert (len(first["records"]), first["total"]) == (2, len(everything))
    assert names(size=2, current=2) == everything[2:4]
    assert names(search="ALERT_") == [name for name in everything if name.startswith("alert_")]
    # Its description says so, not its name.
    assert names(search="portals") == ["source_addresses"]
    assert names(search="100%") == []
    assert admin.refused("bus-sys-parameter/page", {"sort": "value"})["code"] == 422
