"""Options of a connection to a folder on the agent's host."""

from typing import Annotated, ClassVar

from pydantic import Field
from pydantic.dataclasses import dataclass

from zcbus.connectors.files.options import CAPABILITIES, FilesOptions
from zcbus.connectors.files.target.options import FilesWriting, written
from zcbus.connectors.options import CONFIG, KindOptions, Shown
from zcbus.connectors.spec import KindSpec


@dataclass(frozen=True, config=CONFIG)
class _Location(KindOptions):
    """Location of the files."""

    folder: Annotated[
        str,
        Field(max_length=255, pattern=r"^[^\x00-\x1f\x7f/\\]+(/[^\x00-\x1f\x7f/\\]+)*$"),
        Shown(
            "文件夹",
            "Folder",
            help_zh="代理所在主机的文件目录（ZCBUS_FILES_DIR）内的路径。其中每个文件是一张表；"
            "每个子文件夹是一张表，包含其下所有文件的记录",
            help_en="Path within the folder for files of the agent's host (ZCBUS_FILES_DIR). Each file in it is a "
            "table; each folder in it is a table with the records of all files below",
            example="incoming/shop",
            required=True,
            fixed=True,
        ),
    ] = ""


@dataclass(frozen=True, config=CONFIG)
class LocalFilesOptions(FilesWriting, FilesOptions, _Location):
    """A folder in the agent host's folder for files. The path comes first in forms."""

    kind: ClassVar[str] = "localfiles"
    title_form: ClassVar[str] = "{folder}"


LOCAL_FILES = KindSpec(
    name="Files",
    label="CSV / Excel / JSON lines / Parquet / Avro",
    label_zh="CSV / Excel / JSON Lines / Parquet / Avro 文件",
    group="file",
    tested="Linux",
    model=LocalFilesOptions,
    capabilities=written(CAPABILITIES),
)
