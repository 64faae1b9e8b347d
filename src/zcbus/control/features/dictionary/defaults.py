"""The dictionaries that the platform brings. Its own code reads their keys."""

from zcbus.control.features.dictionary.repository import Stored
from zcbus.protocol.service_kinds import SERVICE_KINDS, ServiceType

SERVICE_SUB_TYPE = "customer_sub_type"


def _dictionary(dict_type: str, name_zh: str, name_en: str, items: tuple[tuple[str, str, str], ...]) -> Stored:
    """An item: key, Chinese name, English name; its value is the key."""
    return Stored(dict_type, name_zh, name_en, tuple((key, key, zh, en) for key, zh, en in items))


def _titles(kind: ServiceType) -> tuple[str, str]:
    return SERVICE_KINDS[kind].title_zh, SERVICE_KINDS[kind].title_en


DICTIONARIES = (
    _dictionary(
        "user_status",
        "用户状态",
        "User status",
        (("0", "正常", "Normal"), ("1", "停用", "Disabled"), ("2", "注销", "Cancelled")),
    ),
    _dictionary("document_type", "证件类型", "Document type", (("0", "身份证", "ID card"), ("1", "工号", "HR number"))),
    _dictionary(
        "alert_level",
        "告警级别",
        "Alert level",
        (("0", "一般", "General"), ("1", "关注", "Attention"), ("3", "重要", "Important")),
    ),
    # Types of services in containers.
    _dictionary(
        SERVICE_SUB_TYPE,
        "服务类型",
        "Kind of service",
        tuple((kind, *_titles(kind)) for kind in ("publish", "subscribe", "process", "contrast")),
    ),
    # Groups of the kinds of data sources that there are connectors for.
    _dictionary(
        "sys_module_type_group",
        "数据源分组",
        "Groups of data sources",
        (("relational", "关系型数据库", "Relational databases"),),
    ),
)
