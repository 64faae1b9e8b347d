"""Driver files of this host: what its owner placed in the folder ZCBUS_DRIVERS_DIR.

A driver is code that runs in the agent's processes. No call of the platform writes into the folder; a connection only
names what is there.
"""

from pathlib import Path

from zcbus.kit.settings import load_settings


class DriverMissing(OSError):
    """The folder has no such driver, or several."""

    def __init__(self, name: str, folder: Path) -> None:
        there = ", ".join(available(folder)) or "–"
        super().__init__(f"{name}: not one in {folder} (ZCBUS_DRIVERS_DIR), which has: {there}")


def driver_files(name: str, beginnings: tuple[str, ...]) -> list[Path]:
    """The files of a driver: a jar, or all jars of a folder. Without a name the one whose name begins so, in any case.
    Raises DriverMissing."""
    folder = load_settings().drivers_dir
    found = [one for one in available(folder) if (one == name if name else one.lower().startswith(beginnings))]
    if len(found) != 1:
        raise DriverMissing(name or ", ".join(f"{one}*" for one in beginnings), folder)
    path = folder / found[0]
    return _jars(path) if path.is_dir() else [path]


def available(folder: Path) -> list[str]:
    """Names of the jars and of the folders with jars."""
    if not folder.is_dir():
        return []
    return sorted(path.name for path in folder.iterdir() if (_jars(path) if path.is_dir() else path.suffix == ".jar"))


def _jars(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.jar"))
