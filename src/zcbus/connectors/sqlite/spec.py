"""What a SQLite connection takes, and what the kind can do."""

from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.capabilities import Capabilities
from zcbus.connectors.options import CONFIG, KindOptions, Shown
from zcbus.connectors.spec import KindSpec

SCHEMA = "main"
"""The one schema of a file."""


@dataclass(frozen=True, config=CONFIG)
class SQLiteOptions(KindOptions):
    """A database file in the folder for files of the agent's host."""

    kind: ClassVar[str] = "sqlite"
    title_form: ClassVar[str] = "{file}"
    file: Annotated[
        str,
        Field(max_length=255, pattern=r"^[^\x00-\x1f\x7f/\\]+(/[^\x00-\x1f\x7f/\\]+)*$"),
        Shown(
            "文件",
            "File",
            help_zh="代理所在主机的文件目录（ZCBUS_FILES_DIR）内的路径；不存在时自动创建",
            help_en="Path within the folder for files of the agent's host (ZCBUS_FILES_DIR); created where missing",
            example="reports/shop.db",
            required=True,
            fixed=True,
        ),
    ] = ""


SQLITE = KindSpec(
    name="SQLite",
    label="SQLite",
    group="relational",
    model=SQLiteOptions,
    capabilities=Capabilities(
        delivery="transactional",
        keyless=True,
        ddl=True,
        schemas="none",
        default_schema=SCHEMA,
        comparable=True,
        row_errors=True,
    ),
)
