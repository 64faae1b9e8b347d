"""The Java virtual machine of this process: started by the first connection, and the same for all drivers.

A machine does not survive a fork, so only the process that uses it starts it: workers are forked before. Each driver
has a class loader of its own, which sees Java itself and the driver's files: two versions of a driver do not meet.
"""

import os
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import jpype
import jpype.config

from zcbus.connectors.errors import JavaMissing

JavaError: Any = jpype.JException
"""Base class of Java's exceptions in Python."""

_OPTIONS = (
    "-Xmx256m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:-UsePerfData",
    # Signals belong to the worker.
    "-Xrs",
    "-Djava.awt.headless=true",
    # Times without a zone are texts in any case; this is for drivers that convert them through the host's zone.
    "-Duser.timezone=UTC",
)
_starting = threading.Lock()


def start() -> None:
    """Start the machine unless it runs. Raises JavaMissing."""
    with _starting:
        if jpype.isJVMStarted():
            return
        jpype.config.destroy_jvm = False  # threads of a driver would block the end of the process
        try:
            jpype.startJVM(*_OPTIONS, convertStrings=True)
        except (jpype.JVMNotFoundException, jpype.JVMNotSupportedException, OSError, RuntimeError) as error:
            raise JavaMissing(detail=str(error).strip()) from error


def driver(name: str, files: Sequence[Path]) -> Any:
    """The java.sql.Driver of that class in the files. Raises JavaMissing, ValueError if it is not in them."""
    start()
    return _driver(name, tuple((str(path), path.stat().st_mtime_ns) for path in files), os.getpid())


@lru_cache(maxsize=64)
def _driver(name: str, files: tuple[tuple[str, int], ...], _process: int) -> Any:
    java = jpype.java
    urls = [java.io.File(path).toURI().toURL() for path, _ in files]
    loader = java.net.URLClassLoader(jpype.JArray(java.net.URL)(urls), java.lang.ClassLoader.getPlatformClassLoader())
    try:
        return java.lang.Class.forName(name, True, loader).getDeclaredConstructor().newInstance()
    except JavaError as error:
        raise ValueError(f"{error.getClass().getName()}: {error.getMessage()}") from error


def first_driver(names: Sequence[str], files: Sequence[Path]) -> tuple[str, Any]:
    """The first of these classes that is in the files, with its driver. Raises as `driver`, for the first class."""
    failures = []
    for name in names:
        try:
            return name, driver(name, files)
        except ValueError as error:
            failures.append(error)
    raise failures[0]


def properties(values: dict[str, str]) -> Any:
    """A java.util.Properties."""
    made = jpype.java.util.Properties()
    for name, value in values.items():
        made.setProperty(name, value)
    return made
