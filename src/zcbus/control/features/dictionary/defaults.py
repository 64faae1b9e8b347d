"""The dictionaries that the platform brings. An item: key, Chinese name, English name."""

from dataclasses import dataclass

Item = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Dictionary:
    """A dictionary with its items in order."""

    dict_type: str
    name_zh: str
    name_en: str
    items: tuple[Item, ...]


SERVICE_SUB_TYPE = "customer_sub_type"

DICTIONARIES = (
    Dictionary(
        "user_status",
        "用户状态",
        "User status",
        (("0", "正常", "Normal"), ("1", "停用", "Disabled"), ("2", "注销", "Cancelled")),
    ),
    Dictionary("document_type", "证件类型", "Document type", (("0", "身份证", "ID card"), ("1", "工号", "HR number"))),
    Dictionary(
        "alert_level",
        "告警级别",
        "Alert level",
        (("0", "一般", "General"), ("1", "关注", "Attention"), ("3", "重要", "Important")),
    ),
    # What runs in containers.
    Dictionary(
        SERVICE_SUB_TYPE,
        "服务类型",
        "Kind of service",
        (("publish", "发布", "Publish"), ("subscribe", "订阅", "Subscribe")),
    ),
    # Groups of the kinds of data sources that there are connectors for.
    Dictionary(
        "sys_module_type_group",
        "数据源分组",
        "Groups of data sources",
        (("relational", "关系型数据库", "Relational databases"),),
    ),
)
