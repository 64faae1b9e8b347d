"""The `zcbus` program: one module a command group; each adds its commands and runs them."""

from zcbus.cli.main import main

__all__ = ["main"]
