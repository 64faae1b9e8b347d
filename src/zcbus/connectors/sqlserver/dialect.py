"""SQL Server 2016 and later, as a source, from Microsoft's documentation of Transact-SQL and of the driver."""

from zcbus.connectors.jdbc.dialect import FULL, Dialect, States
from zcbus.model.types import Kind

_BINARY_ORDER = "{column} COLLATE Latin1_General_BIN2"
_TEXTS = ("char", "varchar", "nchar", "nvarchar")
_ODBC = "CONVERT(varchar(33), {column}, 121)"
"""Style 121 is the year first and all digits, whatever language the login has."""

SQLSERVER_DIALECT = Dialect(
    kind="sqlserver",
    name="SQL Server",
    driver="com.microsoft.sqlserver.jdbc.SQLServerDriver",
    jars=("mssql-jdbc", "sqlserver"),
    # As a property the address may be one of IPv6.
    url="jdbc:sqlserver://;serverName={address};portNumber={port};databaseName={database}",
    tls={
        "disable": {"encrypt": "false"},
        "require": {"encrypt": "true", "trustServerCertificate": "true"},
        "verify-full": {"encrypt": "true", "trustServerCertificate": "false", "hostNameInCertificate": "{host}"},
    },
    properties={"applicationName": "zcbus"},
    schema="dbo",
    system_schemas=frozenset(
        {
            "INFORMATION_SCHEMA",
            "sys",
            "guest",
            "db_accessadmin",
            "db_backupoperator",
            "db_datareader",
            "db_datawriter",
            "db_ddladmin",
            "db_denydatareader",
            "db_denydatawriter",
            "db_owner",
            "db_securityadmin",
        }
    ),
    types=None,
    states=States(
        table=frozenset({"42S02"}),
        database=frozenset({"3D000"}),
        codes={
            208: "42S02",
            229: "28000",
            1101: FULL,
            1105: FULL,
            1205: "40001",
            1222: "40001",
            4060: "3D000",
            9002: FULL,
            18452: "28000",
            18456: "28000",
        },
    ),
    kinds={
        "tinyint": Kind.UINT8,
        "uniqueidentifier": Kind.UUID,
        "datetimeoffset": Kind.TIMESTAMP_TZ,
        # A row's version: the type is no time.
        "timestamp": Kind.BINARY,
        "xml": Kind.XML,
        "sql_variant": Kind.UNSUPPORTED,
    },
    unsized=frozenset(
        {"datetime", "smalldatetime", "money", "smallmoney", "text", "ntext", "image", "timestamp", "xml"}
    ),
    unlimited="{name}(max)",
    selects={
        **dict.fromkeys(("date", "time", "datetime", "datetime2", "smalldatetime"), _ODBC),
        "datetimeoffset": ("CONVERT(varchar(33), CAST(SWITCHOFFSET({column}, '+00:00') AS datetime2), 121) + '+00:00'"),
    },
    compared={
        "datetime": "CONVERT(datetime, ?, 121)",
        "smalldatetime": "CONVERT(smalldatetime, ?, 121)",
    },
    orders={
        **dict.fromkeys(_TEXTS, _BINARY_ORDER),
        "uniqueidentifier": "LOWER(CONVERT(char(36), {column})) COLLATE Latin1_General_BIN2",
    },
    zone="+00:00",
    truths=("1", "0"),
    binary_literal="0x{hex}",
)
