"""What a PostgreSQL connection takes."""

from zcbus.connectors.spec import KindSpec, Option

POSTGRESQL = KindSpec(
    kind="postgresql",
    label="PostgreSQL",
    group="relational",
    options=(
        Option("host", "text", "主机", "Host"),
        Option("port", "integer", "端口", "Port", default=5432, maximum=65535),
        Option("user", "text", "用户名", "User", maximum=128),
        Option("password", "secret", "密码", "Password", required=False),
        Option("database", "text", "数据库", "Database", maximum=128),
        Option(
            "tls",
            "choice",
            "加密传输",
            "TLS",
            required=False,
            default="prefer",
            choices=("disable", "prefer", "require", "verify-full"),
        ),
    ),
    source=True,
    target=True,
)
