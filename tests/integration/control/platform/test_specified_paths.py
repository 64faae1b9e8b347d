"""Every path of the specification's chapter 7, as it is spelt there, leads to a call: with the product's own name and
with the fixed one. What the calls answer is tested with their features."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.control_plane import ControlPlane, control_plane

POSTS = [
    "sys/authentication/code",
    "sys/authentication/logout",
    "account/role/menu/list",
    "account/user/query/userInfo/by/userId",
    "account/user/upsert",
    "account/role/get-all",
    "account/user/change/password",
    "account/user/user-account-send",
    "sys/alarmmsg/page",
    "sys/alarmmsg/setstatus",
    "sys/alarmmsg/save",
    "sys/alarmmsg/countUnRead",
    "common/get/tables/used/count",
    "common/get/control/used/count",
    "common/findDictType",
    "common/parameter/module/getMsgParaListByModule",
    "customer/getSubTypeList",
    "common/captcha/check",
    "common/getDBType",
    "dynamic/datasource/test-db-parameter",
    "dynamic/datasource/subscribe/test-db-parameter",
    "dynamic/datasource/subscribe/current/test-db-parameter",
    "simplify/sync/source/left/toolbar/page/list",
    "simplify/sync/target/left/toolbar/page/list",
    "container/machine/list/get/by/deviceId",
    "container/machine/list/update",
    "publish/buspushstatustb/getNodeInfo",
    "subscribe/customer/list",
    "subscribe/product/list",
    "subscribe/control/get/channel/list",
    "container/cluster/getAll",
    "container/cluster/delete",
    "container/cluster/add",
    "container/cluster/customer/getStatistics",
    "container/cluster/customer/getStatusStatistics",
    "container/cluster/customer/page",
    "container/cluster/customer/delete",
    "container/cluster/customer/add",
    "container/cluster/customer/edit",
    "container/cluster/customer/getnodeidorcustomerid",
    "container/cluster/customer/modfiystatus",
    "container/cluster/customer/modfiystatusbytype",
    "container/cluster/customer/modify/child/status",
    "container/cluster/customer/forcestatus",
    "container/cluster/customer/transfercontainer",
    "container/cluster/customer/proEditPushKafkaProperties",
    "container/cluster/customer/proEditClientKafkaProperties",
    "container/cluster/customer/editKafkaProperties",
    "container/cluster/customer/getBusClusterContainerPropertiesListByContainerAndMid",
    "container/cluster/customer/addAndUpdateProperties",
    "container/cluster/customer/getTypeCount",
    "container/cluster/customer/getStatusCount",
    "container/cluster/customer/getExceptionCount",
    "container/cluster/customer/getExceptionStatistcsCount",
    "container/cluster/customer/updaeStatusByNodeId",
    "container/cluster/customer/getContainerInfo",
    "tool/encode/getEncodeString",
    "tool/encode/getDecodeString",
]

GETS = [
    "auth/info",
    "account/role/get-user-role-codes",
    "sys/alarmmsg/countUnRead",
    "bus-sys-parameter/list",
    "bus-sys-parameter/getByVariableName",
    "common/project/type",
    "common/project/version",
    "sys/regist/info",
    "common/captcha/code",
    "common/verify/get",
    "subscribe/db/get-dbType-module",
]


_CHAPTER = Path(__file__).parents[4] / "docs" / "specification" / "07-calls.md"


def test_the_paths_of_the_table_are_those_that_are_called() -> None:
    """Rows name a call as `POST path` or `GET path`; the container's, which are all POST, by the end of their path."""
    text = _CHAPTER.read_text("utf-8")
    cluster = "container/cluster/"
    requirements = [line.split("|")[2] for line in text.splitlines() if re.match(r"\| 7\.[1-7]\.\d+ \|", line)]
    named = {"POST": set[str](), "GET": set[str]()}
    for requirement in requirements:
        for verb, listed in re.findall(r"(POST|GET) ([\w/-]+(?:, [\w-]+/[\w/-]+)*)", requirement):
            named[verb] |= set(listed.split(", "))
    assert named["GET"] == set(GETS)
    inside = {path for path in POSTS if path.startswith((cluster, "tool/"))}
    assert named["POST"] - inside == set(POSTS) - inside
    names = " ".join(requirements)
    for path in inside:
        assert path.removeprefix(cluster).rsplit("/", 1)[-1] in names, path


@pytest.fixture
def plane(tmp_path: Path) -> Iterator[ControlPlane]:
    with control_plane(tmp_path, product="acme") as running:
        yield running


def test_every_specified_path_is_a_call(plane: ControlPlane) -> None:
    """Without a session a call answers that it needs one, or that its fields are missing; an unknown path does not."""
    assert plane.client.post("/api/zcbus/common/nothing", json={}).status_code == 404
    for prefix in ("zcbus", "acme"):
        for path in POSTS:
            assert plane.client.post(f"/api/{prefix}/{path}", json={}).status_code in (200, 401, 422), path
        for path in GETS:
            assert plane.client.get(f"/api/{prefix}/{path}").status_code in (200, 401, 422), path


@pytest.mark.parametrize("deployment", [0, 1, 2])
def test_the_frame_learns_version_and_deployment_type(tmp_path: Path, deployment: int) -> None:
    with control_plane(tmp_path, deployment=str(deployment)) as plane:
        assert plane.get("common/project/type").json()["data"] == deployment
        assert plane.get("common/project/version").json()["data"][0].isdigit()
