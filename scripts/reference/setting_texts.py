"""What each setting is for: name → text in English and Chinese, in the order of the page."""

Texts = dict[str, tuple[str, str]]

PLATFORM: Texts = {
    "ZCBUS_DATA_DIR": (
        "bus, keys, orders, logs, SQLite metadata; private to the platform's account, not world-writable",
        "总线、密钥、指令、日志和 SQLite 元数据；只有平台账号可以访问，任何账号都可写的目录会拒绝启动",
    ),
    "ZCBUS_HOST": ("address that console and API listen on", "控制台和 API 的监听地址"),
    "ZCBUS_PORT": ("their port", "监听端口"),
    "ZCBUS_PUBLIC_ADDRESS": (
        "where people reach the platform; needed for CAS, OpenID Connect and SAML; other names are refused then",
        "用户访问平台的地址；使用 CAS、OpenID Connect 和 SAML 时必填；设置后拒绝以其他主机名访问",
    ),
    "ZCBUS_OTHER_HOSTS": (
        "further names that it is reached under, by agents for example",
        "其他可用的主机名，如代理访问时使用的名称",
    ),
    "ZCBUS_SERVICE_URL": (
        "where consoles of the public address send their calls, if elsewhere: another name of the same control planes",
        "通过公共地址打开的控制台调用接口的地址（如与公共地址不同）：同一组控制平面的另一个名称",
    ),
    "ZCBUS_WEBSOCKET_URL": (
        "where they open their websockets, if elsewhere",
        "控制台建立 WebSocket 连接的地址（如与公共地址不同）",
    ),
    "ZCBUS_TLS": (
        "whether they speak TLS; `auto`: on every address except loopback; `off` behind a proxy with TLS",
        "是否使用 TLS；`auto`：除环回地址外均使用；由反向代理提供 TLS 时设为 `off`",
    ),
    "ZCBUS_TLS_CERTIFICATE": (
        "certificate with its chain; empty: issued by the platform's own CA in `<data>/tls`",
        "证书及其证书链；空表示由 `<data>/tls` 中的平台自有 CA 签发",
    ),
    "ZCBUS_TLS_KEY": ("its key", "证书的私钥"),
    "ZCBUS_TLS_TRUSTED": (
        "of agents and commands: authorities trusted besides the system's and the platform's",
        "代理和命令行使用：除系统和平台自有 CA 外另行信任的 CA",
    ),
    "ZCBUS_DATABASE_URL": ("metadata store", "元数据库"),
    "ZCBUS_DEPLOYMENT": (
        "0 standalone, 1 cluster, 2 multi-tenant: what the console shows",
        "0 单机、1 集群、2 多租户：决定控制台显示的内容",
    ),
    "ZCBUS_PRODUCT": ("the word for `{product}` in API paths", "API 路径中 `{product}` 的取值"),
    "ZCBUS_DEMO": ("starts the demo; `make run` sets 1", "启动演示；`make run` 设为 1"),
    "ZCBUS_METRICS": (
        "who sees `/metrics`: programs on the same host, everybody, nobody",
        "谁可以访问 `/metrics`：本机程序、所有人、无人",
    ),
    "ZCBUS_METRICS_TOKEN": (
        "secret with which programs of any host see `/metrics`: `Authorization: Bearer …`; unless `ZCBUS_METRICS=off`",
        "任意主机上的程序以 `Authorization: Bearer …` 携带此密钥即可访问 `/metrics`；`ZCBUS_METRICS=off` 时除外",
    ),
    "ZCBUS_OPENAPI": (
        "who sees `/openapi.json` and `/swagger-ui.html`",
        "谁可以访问 `/openapi.json` 和 `/swagger-ui.html`",
    ),
    "ZCBUS_METRIC_STORE": (
        "server that metrics are stored on; empty: with the metadata",
        "存放指标的服务器；留空则与元数据存放在一起",
    ),
    "ZCBUS_METRIC_STORE_WRITE": ("its remote write", "该服务器的 remote write 地址"),
    "ZCBUS_METRIC_STORE_HEADERS": ("secret headers of requests to it", "发往该服务器的保密请求头"),
    "ZCBUS_OTLP": (
        "collector of OpenTelemetry that gets the metrics of `/metrics` once a minute, by OTLP over HTTP",
        "每分钟通过 OTLP/HTTP 接收 `/metrics` 中指标的 OpenTelemetry 收集器",
    ),
    "ZCBUS_OTLP_TRACES": (
        "share of the records of the bus whose way is traced to it, the same on all hosts",
        "向其发送链路追踪的总线记录比例，各主机应一致",
    ),
    "ZCBUS_OTLP_HEADERS": ("secret headers of requests to it", "发往该收集器的保密请求头"),
    "ZCBUS_AUDIT_FILE": (
        "file that the operation log is appended to, as JSON lines",
        "操作日志以 JSON 行追加写入的文件",
    ),
    "ZCBUS_AUDIT_SYSLOG": ("syslog server that gets the operation log", "接收操作日志的 syslog 服务器"),
    "ZCBUS_AUDIT_WEBHOOK": ("address that gets the operation log by signed requests", "以签名请求接收操作日志的地址"),
    "ZCBUS_AUDIT_WEBHOOK_SECRET": ("key of these requests' signatures", "这些请求的签名密钥"),
    "ZCBUS_REGISTRATION_KEY": ("public key for registration codes", "校验注册码的公钥"),
}
SIGN_IN: Texts = {
    "ZCBUS_ADMIN_PASSWORD": (
        "first start only; otherwise generated into `<data>/initial-password`",
        "仅首次启动有效；未设置时自动生成，写入 `<data>/initial-password`",
    ),
    "ZCBUS_LOGIN_CAPTCHA": ("`off` for automated clients", "自动化客户端可设为 `off`"),
    "ZCBUS_SESSION_IDLE_MINUTES": (
        "a session without use for so long ends; 0: after a day only",
        "会话空闲超过该分钟数即失效；0 表示只按一天的有效期失效",
    ),
    "ZCBUS_PASSWORD_LONGEST": ("how many characters a password may have", "密码最多可有的字符数"),
    "ZCBUS_LOGIN_FREE": (
        "account of whoever opens the console without signing in",
        "免登录进入控制台时使用的账号",
    ),
    "ZCBUS_CAS_URL": ("CAS server whose service tickets are accepted", "接受其服务票据的 CAS 服务器"),
    "ZCBUS_OIDC_ISSUER": ("OpenID Connect provider", "OpenID Connect 提供方"),
    "ZCBUS_OIDC_CLIENT_ID": ("the platform's client at the provider", "平台在提供方的客户端标识"),
    "ZCBUS_OIDC_CLIENT_SECRET": ("the client's secret", "客户端密钥"),
    "ZCBUS_OIDC_NAME": ("text of the link on the sign-in page", "登录页上的链接文字"),
    "ZCBUS_OIDC_USER_CLAIM": ("claim that names the account", "表示账号的声明"),
    "ZCBUS_SAML_METADATA": ("identity provider of SAML 2.0", "SAML 2.0 身份提供方"),
    "ZCBUS_SAML_NAME": ("text of the link on the sign-in page", "登录页上的链接文字"),
    "ZCBUS_SAML_USER_ATTRIBUTE": (
        "attribute that names the account; empty: the NameID",
        "表示账号的属性；留空则使用 NameID",
    ),
    "ZCBUS_SAML_ENTITY_ID": (
        "the platform's name at the provider; empty: the address of its metadata",
        "平台在身份提供方的名称；留空则为平台元数据的地址",
    ),
    "ZCBUS_LDAP_URL": ("directory whose passwords open accounts", "其密码可用于登录的目录服务器"),
    "ZCBUS_LDAP_BIND_DN": (
        "entry as which users are looked up; empty: anonymously",
        "用来查找用户的条目；留空则匿名查找",
    ),
    "ZCBUS_LDAP_BIND_PASSWORD": ("its password", "该条目的密码"),
    "ZCBUS_LDAP_BASE": ("users are looked for below this entry", "在此条目之下查找用户"),
    "ZCBUS_LDAP_ATTRIBUTE": (
        "attribute that names the account, spelled as there",
        "表示账号的属性，写法须与账号完全一致",
    ),
    "ZCBUS_LDAP_FILTER": ("what users must fulfil as well, as a group", "用户还须满足的条件，例如所属的组"),
    "ZCBUS_LDAP_NAME": ("its name on the sign-in page", "登录页上显示的目录名称"),
}
AGENT: Texts = {
    "ZCBUS_FILES_DIR": (
        "files that data sources may use, one folder per tenant (`default` first); created files are private to the "
        "platform's account, a default ACL opens them (`setfacl -d -m g:readers:rX`)",
        "数据源可使用的文件，每个租户一个目录（第一个为 `default`）；新建文件只有平台账号可读，可用默认 ACL 开放",
    ),
    "ZCBUS_DRIVERS_DIR": (
        "JDBC drivers that connections of this host may use: jar files, or folders with them; a user who may write "
        "here runs code as the platform's account",
        "本机连接可以使用的 JDBC 驱动：jar 文件或存放 jar 文件的子目录；能写入此目录的人即可以平台账号运行代码",
    ),
    "ZCBUS_DRIVER_KEYS": (
        "folder with Ed25519 public keys (`NAME.pem`), one of which must have signed each distributed driver, on the "
        "control plane and on this host; empty: an administrator confirms the checksum. An empty folder takes none",
        "存放 Ed25519 公钥（`名称.pem`）的目录，分发的驱动必须有其中之一的签名，控制平面与本机各自检查；"
        "留空则由管理员确认校验和；空目录则不接受任何驱动",
    ),
    "ZCBUS_UPLOADS_DIR": (
        "uploads under way and, without a bucket, complete files; several control planes share it",
        "进行中的上传；没有桶时也存放完整的文件；多个控制平面共用",
    ),
    "ZCBUS_UPLOAD_MB": ("most of an uploaded file, in MB", "单个上传文件的上限（MB）"),
    "ZCBUS_UPLOAD_TENANT_MB": ("most of all files of a tenant, in MB", "一个租户全部文件的上限（MB）"),
    "ZCBUS_UPLOAD_SCANNER": (
        "virus scanner: runs with a file's path as its last argument; ends with 0 for clean, 1 for refused",
        "病毒扫描程序：最后一个参数是文件路径；返回 0 为干净，1 为拒绝",
    ),
    "ZCBUS_UPLOAD_STORE": ("bucket for files begun by `/api/qiNiuContent`", "`/api/qiNiuContent` 的文件所存入的桶"),
    "ZCBUS_UPLOAD_STORE_ENDPOINT": ("its server; empty: AWS", "桶的服务器；空为 AWS"),
    "ZCBUS_UPLOAD_STORE_REGION": ("its region", "桶的区域"),
    "ZCBUS_UPLOAD_STORE_KEY": ("access key", "访问密钥"),
    "ZCBUS_UPLOAD_STORE_SECRET": ("secret key", "私有密钥"),
    "ZCBUS_WORKER_MEMORY_MB": (
        "memory budget per worker; more waits on the bus; a single row takes up to five times its size",
        "每个工作进程的内存预算；超出部分在总线上等待；单行最多占用其大小的五倍",
    ),
    "ZCBUS_BATCH_MB": (
        "most that a worker takes from the bus and applies in one transaction",
        "单个事务最多应用的数据量",
    ),
    "ZCBUS_BATCH_RECORDS": ("the same in records", "单个事务最多应用的记录数"),
}
NETWORK: Texts = {
    "ZCBUS_NETWORK_ALLOW": (
        "networks that connections may go to; empty: all",
        "允许连接的地址和网段；空表示全部",
    ),
    "ZCBUS_NETWORK_DENY": ("networks that they may not go to; wins over allow", "禁止连接的地址和网段；优先于允许"),
    "ZCBUS_NETWORK_LOOPBACK": (
        "connections to the agent's own host; `off` by default in clusters",
        "是否可以连接代理所在主机；集群中默认 `off`",
    ),
    "ZCBUS_NETWORK_LINK_LOCAL": (
        "connections to link-local addresses, where clouds keep credentials",
        "是否可以连接链路本地地址（云平台的凭据服务）",
    ),
}
BUS: Texts = {
    "ZCBUS_BUS": ("the bus between source and target", "源端与目标端之间的总线"),
    "ZCBUS_BUS_SECURITY": ("security of the connections", "连接安全"),
    "ZCBUS_BUS_SASL": ("SASL mechanism", "SASL 机制"),
    "ZCBUS_BUS_USER": ("SASL user", "SASL 用户"),
    "ZCBUS_BUS_PASSWORD": ("SASL password", "SASL 密码"),
    "ZCBUS_BUS_CA": ("PEM file of trusted authorities; empty: the system's", "受信任的 CA（PEM 文件）；空表示系统自带"),
    "ZCBUS_BUS_CERTIFICATE": ("PEM file of the client certificate", "客户端证书（PEM 文件）"),
    "ZCBUS_BUS_KEY": ("PEM file of its key", "客户端私钥（PEM 文件）"),
    "ZCBUS_BUS_PUSH_PROPERTIES": ("librdkafka properties of producers", "生产者的 librdkafka 属性"),
    "ZCBUS_BUS_CLIENT_PROPERTIES": ("the same for consumers and administration", "消费者和管理客户端的属性"),
}
GATEWAY: Texts = {
    "ZCBUS_GATEWAY_CERTIFICATE": (
        "certificate for TLS; set it for the control plane too, so that the console shows `https`",
        "TLS 证书；控制平面也应设置，控制台才显示 `https`",
    ),
    "ZCBUS_GATEWAY_KEY": ("its key", "证书的私钥"),
    "ZCBUS_GATEWAY_PROXIES": (
        "proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted",
        "信任其 `X-Forwarded-For` 和 `X-Forwarded-Proto` 的代理服务器",
    ),
    "ZCBUS_GATEWAY_ADDRESSES": (
        "addresses that data services may listen on; empty: all",
        "数据服务可监听的地址；空表示全部",
    ),
    "ZCBUS_GATEWAY_PORTS": ("ports that they may listen on", "数据服务可监听的端口"),
}
SECRETS: Texts = {
    "ZCBUS_KEYS_FILE": (
        "file with the control plane's master keys, made at the first start",
        "控制平面主密钥的文件，首次启动时生成",
    ),
    "ZCBUS_KEYS": (
        "the master keys themselves, as the file has them, divided by `;`",
        "主密钥本身，内容同上述文件，以 `;` 分隔",
    ),
    "ZCBUS_KEYS_TRANSIT": (
        "key of Vault's transit engine that encrypts the master keys",
        "用来加密主密钥的 Vault transit 引擎密钥",
    ),
    "ZCBUS_REFERENCE_ENV": (
        "variables of an agent's host that connections may refer to begin so; empty: none",
        "连接可引用的代理主机环境变量名的开头；空表示不允许",
    ),
    "ZCBUS_REFERENCE_FILES": (
        "folder of an agent's host with files that connections may refer to; empty: none",
        "代理主机上连接可引用的文件所在目录；空表示不允许",
    ),
    "ZCBUS_REFERENCE_VAULT": (
        "path in Vault above the secrets that connections may refer to; empty: none",
        "Vault 中连接可引用的机密的上级路径；空表示不允许",
    ),
    "ZCBUS_VAULT_ADDRESS": ("HashiCorp Vault for master keys and references", "用于主密钥和引用的 HashiCorp Vault"),
    "ZCBUS_VAULT_TOKEN": ("its token", "Vault 令牌"),
    "ZCBUS_VAULT_TOKEN_FILE": (
        "file with the token instead, read at each use",
        "存放令牌的文件，每次使用时读取",
    ),
    "ZCBUS_VAULT_NAMESPACE": ("its namespace", "Vault 命名空间"),
    "ZCBUS_VAULT_CA": ("further authorities for its certificate", "验证其证书的其他证书颁发机构"),
}
GROUPS: dict[str, Texts] = {
    "platform": PLATFORM,
    "sign-in": SIGN_IN,
    "agent": AGENT,
    "network": NETWORK,
    "bus": BUS,
    "gateway": GATEWAY,
    "secrets": SECRETS,
}
