"""Request and answer of the call."""

from typing import Literal

from pydantic import Field

from zcbus.control.features.search.schemas import HitKind, SearchHit
from zcbus.control.platform.schema import Schema

DependantKind = HitKind | Literal["app", "alert-rule", "computation", "department", "master"]

Deleting = Literal[
    "account/dept/delete",
    "account/role/delete",
    "account/user/delete",
    "container/cluster/delete",
    "container/cluster/customer/delete",
    "container/host/delete",
    "customer/delete",
    "data-service/api/delete",
    "data-service/group/delete",
    "data-service/service/delete",
    "deploy/driver/delete",
    "policy/define/delete",
    "publish/node/delete",
    "resource/sql/delete",
    "subscribe/channel/delete",
    "subscribe/control/delete",
    "subscribe/customer/delete",
    "subscribe/database/delete",
    "sync/link/delete",
    "system/network-route/delete",
    "task/plan/delete",
]
"""Calls that delete what others may depend on, behind `/api/zcbus/`."""


class DependantsRequest(Schema):
    """`deleting`: the call that would delete; `id`: of the object."""

    deleting: Deleting
    id: str = Field(min_length=1, max_length=100)


class DependantGroup(Schema):
    """Dependants of one kind. `hits`: some of them, by name; `total`: all of them. `prevents`: while there are any, the
    object is not deleted. `visible`: the caller may view the kind; otherwise `hits` is empty."""

    kind: DependantKind
    hits: list[SearchHit]
    total: int
    prevents: bool
    visible: bool
