"""Files of this host that connectors may use: each tenant has a folder in ZCBUS_FILES_DIR."""

from pathlib import Path

from zcbus.kit.settings import load_settings


class FileOutside(OSError):
    """The path leads out of the tenant's folder for files of this host."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}: not in the tenant's folder for files of the host (ZCBUS_FILES_DIR)")


def confined(tenant: str, name: str) -> Path:
    """The path of a file in a tenant's folder, with links resolved. Raises FileOutside.

    The tenant's folder itself may be a link.
    """
    folder = (load_settings().files_dir / tenant).resolve()
    path = (folder / name).resolve()
    if tenant in ("", "..") or "/" in tenant or not path.is_relative_to(folder):
        raise FileOutside(name)
    return path
