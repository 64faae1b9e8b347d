"""Driver files of this host: what its owner placed in the folder ZCBUS_DRIVERS_DIR, and what its agent fetched.

A driver is code that runs in the agent's processes. No call of the platform writes into the owner's folder, and its
files come first; a connection only names what is there.
"""

from pathlib import Path

from zcbus.kit.settings import distributed_drivers, load_settings


class DriverMissing(OSError):
    """The folders have no such driver, or several."""

    def __init__(self, name: str, folder: Path, distributed: Path) -> None:
        super().__init__(
            f"{name}: not one in {folder} (ZCBUS_DRIVERS_DIR), which has: {_listed(folder)}; "
            f"distributed: {_listed(distributed)}"
        )


def driver_files(name: str, beginnings: tuple[str, ...]) -> list[Path]:
    """The files of a driver: a jar, or all jars of a folder. Without a name the one whose name begins so, in any case.
    Raises DriverMissing."""
    settings = load_settings()
    own, distributed = settings.drivers_dir, distributed_drivers(settings.data_dir)
    drivers = available(distributed) | available(own)
    found = [one for one in drivers if (one == name if name else one.lower().startswith(beginnings))]
    if len(found) != 1:
        raise DriverMissing(name or ", ".join(f"{one}*" for one in beginnings), own, distributed)
    path = drivers[found[0]]
    return _jars(path) if path.is_dir() else [path]


def available(folder: Path) -> dict[str, Path]:
    """The jars, and the folders with jars, by name."""
    if not folder.is_dir():
        return {}
    # A file that is being fetched has a name that begins with a point.
    visible = (path for path in folder.iterdir() if not path.name.startswith("."))
    return {path.name: path for path in visible if (_jars(path) if path.is_dir() else path.suffix == ".jar")}


def _listed(folder: Path) -> str:
    return ", ".join(sorted(available(folder))) or "–"


def _jars(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.jar"))
