"""The one table of what a role can be allowed: menu entries, what can be done behind each, and in whose data.

Only what works is listed. A route may ask only for a pair of this table (`authorisation.authorise`), so nothing is
allowed that stands nowhere. Order is the console's usual order; an administrator may store another one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from zcbus.model.services import ClientType


class Operation(StrEnum):
    """What can be done with the things behind a menu entry."""

    VIEW = "view"
    CREATE = "create"
    EDIT = "edit"
    DELETE = "delete"
    # Start, stop, pause, resume, reload.
    OPERATE = "operate"


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A group, a page, or a permission that stands for no page.

    A page's key is its path without the leading slash. What is `administrative` is granted by its own name, or to a
    role that may do everything: leave to view every entry does not open it. `whole_platform` marks what concerns every
    tenant: only a role that spans tenants opens it. `for_remote` is what a remote client may look at where its role
    allows it: everything else stays closed to remote clients, whatever their role.
    """

    key: str
    title_zh: str
    title_en: str
    operations: tuple[Operation, ...] = ()
    kind: Literal["group", "page", "permission"] = "page"
    parent: str | None = None
    administrative: bool = False
    whole_platform: bool = False
    for_remote: bool = False


_VIEW = (Operation.VIEW,)
_KEEP = (Operation.VIEW, Operation.CREATE, Operation.EDIT, Operation.DELETE)

AUTHORITY = "authority-management"
SYSTEM = "system"
RESOURCE = "resource"
DATA_SERVICE = "data-service"

CUSTOMER_PAGES: Mapping[ClientType, str] = {"client": "subscribe", "databus": "databus", "stream": "stream"}
"""Behind which entry customers of a type stand."""

MENU: tuple[MenuEntry, ...] = (
    MenuEntry("home", "首页", "Home", _VIEW, for_remote=True),
    # The hosts that services run on. A shell there reaches every tenant's data.
    MenuEntry(
        "container",
        "容器列表",
        "Containers",
        (Operation.VIEW, Operation.CREATE, Operation.EDIT, Operation.DELETE, Operation.OPERATE),
        administrative=True,
        whole_platform=True,
    ),
    MenuEntry(
        "sync-link", "同步链路", "Sync links", (Operation.VIEW, Operation.EDIT, Operation.DELETE, Operation.OPERATE)
    ),
    MenuEntry("sync-task", "同步任务", "Sync tasks", _VIEW),
    MenuEntry("subscribe", "订阅", "Subscribe", (*_KEEP, Operation.OPERATE)),
    MenuEntry("stream", "实时计算", "Real-time compute", (*_KEEP, Operation.OPERATE)),
    MenuEntry("publish", "发布", "Publish", (*_KEEP, Operation.OPERATE)),
    MenuEntry("databus", "数据总线", "Databus", (*_KEEP, Operation.OPERATE)),
    MenuEntry(DATA_SERVICE, "数据服务", "Data service", kind="group"),
    MenuEntry("data-service/api-group", "API 分组", "API groups", (*_KEEP, Operation.OPERATE), parent=DATA_SERVICE),
    # Whoever makes apps hands out keys to the data.
    MenuEntry("data-service/api-app", "API 应用", "API apps", _KEEP, parent=DATA_SERVICE),
    MenuEntry("data-service/api-log", "API 日志", "API log", _VIEW, parent=DATA_SERVICE),
    MenuEntry("flow-path", "数据流程", "Flow path", _VIEW),
    MenuEntry("point-to-point-v1", "点对点同步", "Point to point", _VIEW),
    MenuEntry("linkMonitor", "链路监控", "Link monitor", _VIEW),
    MenuEntry("monitor/operation-log", "操作日志", "Operation log", _VIEW, kind="permission", administrative=True),
    MenuEntry(RESOURCE, "资源工具", "Resource tools", kind="group"),
    # Whoever may decrypt reads what others encrypted.
    MenuEntry("resource/encodeTool", "加密工具", "Encryption tool", _VIEW, parent=RESOURCE, administrative=True),
    MenuEntry("resource/article", "帮助文章", "Help articles", _VIEW, parent=RESOURCE, for_remote=True),
    # What the toolset in the console's head offers.
    MenuEntry(
        "Resource.Article",
        "工具集：帮助文章",
        "Toolset: help articles",
        _VIEW,
        kind="permission",
        parent=RESOURCE,
        for_remote=True,
    ),
    MenuEntry(
        "Resource.EncodeTool",
        "工具集：加密工具",
        "Toolset: encryption tool",
        _VIEW,
        kind="permission",
        parent=RESOURCE,
        administrative=True,
    ),
    MenuEntry(
        "Toolset.disclaimers",
        "工具集：免责声明",
        "Toolset: disclaimers",
        _VIEW,
        kind="permission",
        parent=RESOURCE,
        for_remote=True,
    ),
    MenuEntry("disclaimers", "免责声明", "Disclaimers", _VIEW, for_remote=True),
    # Who is told how the registration stands.
    MenuEntry("System.Register", "产品注册提示", "Registration notice", _VIEW, kind="permission", administrative=True),
    MenuEntry(SYSTEM, "系统设置", "System settings", kind="group"),
    MenuEntry(
        "system/bus-sys-parameter",
        "系统参数",
        "System parameters",
        # Dictionaries are made and deleted here too; parameters are only edited.
        _KEEP,
        parent=SYSTEM,
        administrative=True,
        whole_platform=True,
    ),
    MenuEntry(
        "system/service_management",
        "服务管理",
        "Services",
        (*_KEEP, Operation.OPERATE),
        parent=SYSTEM,
    ),
    MenuEntry(AUTHORITY, "权限管理", "Authority", kind="group"),
    MenuEntry(
        "authority-management/menu-management",
        "菜单管理",
        "Menus",
        _KEEP,
        parent=AUTHORITY,
        administrative=True,
        whole_platform=True,
    ),
    MenuEntry(
        "authority-management/dept-management", "部门管理", "Departments", _KEEP, parent=AUTHORITY, administrative=True
    ),
    MenuEntry(
        "authority-management/user-management", "用户管理", "Users", _KEEP, parent=AUTHORITY, administrative=True
    ),
    MenuEntry(
        "authority-management/role-management", "角色管理", "Roles", _KEEP, parent=AUTHORITY, administrative=True
    ),
    MenuEntry("customer", "租户管理", "Tenants", _KEEP, administrative=True, whole_platform=True),
)

ENTRIES: dict[str, MenuEntry] = {entry.key: entry for entry in MENU}

# What roles are given one by one; groups are shown when something in them is.
MENU_KEYS: tuple[str, ...] = tuple(entry.key for entry in MENU if entry.kind != "group")


def is_offered(menu_key: str, operation: Operation) -> bool:
    """Whether the table has this pair."""
    entry = ENTRIES.get(menu_key)
    return entry is not None and operation in entry.operations
