"""Reasons that data services give to operators; callers get less (zcbus.gateway.texts)."""

ZH = {
    "query-refused": "SQL 应是一条只读查询（SELECT、WITH 或 VALUES）：{why} {near}",
    "query-refused.remedy": "只保留一条查询；不写分号、INTO、提示、变量赋值和会被数据库执行的注释；"
    "function：去掉有副作用的函数，自己的函数若无副作用则在 PostgreSQL 中声明为 STABLE",
    "query-account-too-powerful": "数据库账号 {user} 的权限过大：{rights}",
    "query-account-too-powerful.remedy": "为数据服务另建只能读取所需表的账号",
    "query-failed": "数据库拒绝执行查询：{detail}",
    "query-failed.remedy": "在接口编辑页用同样的参数试运行，按数据库的提示修改 SQL 或授权",
    "query-timed-out": "查询超过 {milliseconds} 毫秒，已中止",
    "query-timed-out.remedy": "为查询条件建索引、缩小范围，或提高接口的时限",
    "answer-too-large": "一次返回的数据超过 {bytes} 字节",
    "answer-too-large.remedy": "减少列或行数上限，或分页调用",
    "api-parameter-invalid": "参数 {name} 的值不正确，应为 {expected}",
    "api-parameter-missing": "缺少参数 {name}",
    "api-parameter-unknown": "没有参数 {name}",
    "api-parameter-undeclared": "SQL 中的参数 {name} 没有定义",
    "api-parameter-undeclared.remedy": "在参数表中加上 {name}，或从 SQL 中去掉",
    "caller-not-proven": "未能确认调用方身份：{why}",
    "caller-not-proven.remedy": "no-header 没有 Authorization；header 内容不全；time 时钟相差超过五分钟；nonce 重复；"
    "signature 签名或密钥不符；bearer 明文密钥只接受本机或经 TLS 的调用",
    "address-refused": "应用不允许从地址 {address} 调用",
    "app-expired": "应用已过期",
    "api-not-granted": "应用没有调用该接口的授权",
    "api-unknown": "路径 {path} 没有已发布的接口",
    "quota-spent": "应用一分钟内的 {limit} 次调用已用完",
    "body-invalid": "请求体不是由文本、数字、布尔值及其列表组成的 JSON 对象",
    "body-too-large": "请求体超过 {bytes} 字节",
    "page-invalid": "{name} 的值不正确",
    "gateway-busy": "数据源的连接都在使用中",
    "gateway-port-taken": "无法监听 {host}:{port}：{detail}",
    "gateway-port-taken.remedy": "换一个端口，或停止占用它的程序；释放后会自动继续",
    "gateway-address-not-allowed": "主机不允许数据服务监听 {host}:{port}",
    "gateway-address-not-allowed.remedy": "改用主机允许的地址和端口"
    "（代理的 ZCBUS_GATEWAY_ADDRESSES、ZCBUS_GATEWAY_PORTS）",
}

EN = {
    "query-refused": "The SQL must be one query that reads (SELECT, WITH or VALUES): {why} {near}",
    "query-refused.remedy": "Keep one query, without semicolon, INTO, hints, assignments and comments that the "
    "database executes; function: leave it out, or declare an own function of PostgreSQL STABLE where it has no effect",
    "query-account-too-powerful": "The database account {user} may do too much: {rights}",
    "query-account-too-powerful.remedy": "Give the data service an account of its own that only reads what it needs",
    "query-failed": "The database refuses the query: {detail}",
    "query-failed.remedy": "Try the API with the same parameters, then change the SQL or grant what is missing",
    "query-timed-out": "The query took more than {milliseconds} ms and was ended",
    "query-timed-out.remedy": "Index the columns it searches by, select less, or raise the API's time limit",
    "answer-too-large": "One answer would hold more than {bytes} bytes",
    "answer-too-large.remedy": "Take fewer columns, lower the row limit, or call by pages",
    "api-parameter-invalid": "Parameter {name} has a wrong value: {expected} expected",
    "api-parameter-missing": "Parameter {name} is missing",
    "api-parameter-unknown": "Parameter {name} not found",
    "api-parameter-undeclared": "The SQL's parameter {name} is not defined",
    "api-parameter-undeclared.remedy": "Define {name} among the parameters, or take it out of the SQL",
    "caller-not-proven": "The caller did not prove who it is: {why}",
    "caller-not-proven.remedy": "no-header: no Authorization; header: incomplete; time: clocks differ by more than "
    "5 minutes; nonce: used before; signature: wrong secret; bearer: the plain secret is taken over TLS "
    "or from the same host only",
    "address-refused": "The app may not call from {address}",
    "app-expired": "The app has expired",
    "api-not-granted": "The app has no grant for this API",
    "api-unknown": "No API is published at {path}",
    "quota-spent": "The app's {limit} calls a minute are used up",
    "body-invalid": "The body is no JSON object of texts, numbers, booleans and lists of them",
    "body-too-large": "The body has more than {bytes} bytes",
    "page-invalid": "{name} has a wrong value",
    "gateway-busy": "All connections of the data source are in use",
    "gateway-port-taken": "{host}:{port} cannot be listened on: {detail}",
    "gateway-port-taken.remedy": "Choose another port or stop the program that uses it; it then resumes automatically",
    "gateway-address-not-allowed": "The host does not allow data services to listen on {host}:{port}",
    "gateway-address-not-allowed.remedy": "Choose an address and a port that the host allows "
    "(ZCBUS_GATEWAY_ADDRESSES, ZCBUS_GATEWAY_PORTS of its agent)",
}
