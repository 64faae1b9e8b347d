"""Prints the OpenAPI document: `python -m zcbus.control.openapi`. The same program always prints the same text."""

import sys
import tempfile
from pathlib import Path
from typing import Any

import orjson

from zcbus.control.app import create_app
from zcbus.control.bootstrap import build_services
from zcbus.kit.settings import load_settings


def document() -> dict[str, Any]:
    """The OpenAPI document of the application, independent of the environment."""
    with tempfile.TemporaryDirectory(prefix="zcbus-openapi-") as folder:
        services = build_services(load_settings({"ZCBUS_DATA_DIR": str(Path(folder))}))
        try:
            return create_app(services).openapi()
        finally:
            services.close()


def main() -> None:
    """Write the document to standard output."""
    text = orjson.dumps(document(), option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)
    sys.stdout.buffer.write(text + b"\n")


if __name__ == "__main__":
    main()
