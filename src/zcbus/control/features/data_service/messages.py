"""Texts of the data service feature."""

ZH = {
    "data-service-name-taken": "已有名为 {name} 的数据服务",
    "data-service-in-use": "数据服务 {name} 还有 {groups} 个 API 分组或尚未停止：先停止服务并删除分组",
    "data-service-refused": "操作未能执行：{detail}",
    "api-group-prefix-taken": "该数据服务中已有前缀为 {prefix} 的 API 分组",
    "api-group-in-use": "API 分组 {name} 还有 {apis} 个 API，先删除它们",
    "api-path-taken": "该分组中已有路径为 {path} 的 API",
    "api-statement-refused": "SQL 应是一条只读查询（SELECT、WITH 或 VALUES），不含分号、INTO、优化器提示、变量赋值、"
    "含义因服务器而异的写法（unclear）和有副作用的函数（function）：{why} {near}",
    "api-parameter-twice": "参数 {name} 定义了两次",
    "api-parameter-not-declared": "SQL 中的参数 {name} 没有定义",
    "api-parameter-not-used": "参数 {name} 没有在 SQL 中使用",
    "api-parameter-default-refused": "参数 {name} 的默认值不正确，应为 {expected}",
    "api-published": "API {name} 已发布，先下线再删除",
    "api-offline": "API {name} 没有发布",
    "api-app-name-taken": "已有名为 {name} 的 API 应用",
    "parameter.api_log_days": "API 日志保留天数",
    "field.network": "须为 IP 地址或网段",
}

EN = {
    "data-service-name-taken": "Data service {name} already exists",
    "data-service-in-use": "Data service {name} has {groups} API groups or is not stopped: stop it, delete them",
    "data-service-refused": "Not possible: {detail}",
    "api-group-prefix-taken": "The data service has an API group with prefix {prefix} already",
    "api-group-in-use": "API group {name} has {apis} APIs: delete them first",
    "api-path-taken": "The group has an API at {path} already",
    "api-statement-refused": "The SQL must be one query (SELECT, WITH or VALUES) without ;, INTO, hints, assignments, "
    "spellings that servers read differently (unclear) and functions with effects: {why} {near}",
    "api-parameter-twice": "Parameter {name} is defined twice",
    "api-parameter-not-declared": "The SQL's parameter {name} is not defined",
    "api-parameter-not-used": "Parameter {name} is not used in the SQL",
    "api-parameter-default-refused": "The default of parameter {name} is wrong: {expected} expected",
    "api-published": "API {name} is published: take it offline before deleting it",
    "api-offline": "API {name} is not published",
    "api-app-name-taken": "API app {name} already exists",
    "parameter.api_log_days": "Days for which the API log is kept",
    "field.network": "Must be an IP address or a network",
}
