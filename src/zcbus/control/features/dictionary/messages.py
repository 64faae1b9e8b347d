"""Text about dictionaries."""

ZH = {
    "dictionary-unknown": "字典 {type} 不存在",
    "dictionary-type-taken": "字典类型 {type} 已存在",
    "dictionary-built-in": "字典 {type} 由平台内置：可以修改名称，不能删除，也不能增减、修改或移动键值",
    "dictionary-key-twice": "键 {key} 重复",
    "dictionary-name.user_status": "用户状态",
    "dictionary-name.document_type": "证件类型",
    "dictionary-name.alert_level": "告警级别",
    "dictionary-name.customer_sub_type": "服务类型",
    "dictionary-name.sys_module_type_group": "数据源分组",
    "dictionary-name.link_state": "链路状态",
    "dictionary-name.subscribed_table_state": "订阅表状态",
    "dictionary-name.published_table_state": "发布表状态",
    "dictionary-name.service_state": "服务状态",
}

EN = {
    "dictionary-unknown": "Dictionary {type} not found",
    "dictionary-type-taken": "Dictionary {type} already exists",
    "dictionary-built-in": "Dictionary {type} is the platform's own: names can be changed, keys, values and order "
    "cannot, and it cannot be deleted",
    "dictionary-key-twice": "Key {key} is given twice",
    "dictionary-name.user_status": "User status",
    "dictionary-name.document_type": "Document type",
    "dictionary-name.alert_level": "Alert level",
    "dictionary-name.customer_sub_type": "Kind of service",
    "dictionary-name.sys_module_type_group": "Groups of data sources",
    "dictionary-name.link_state": "State of a link",
    "dictionary-name.subscribed_table_state": "State of a subscribed table",
    "dictionary-name.published_table_state": "State of a published table",
    "dictionary-name.service_state": "State of a service",
}
