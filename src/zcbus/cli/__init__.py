"""The `zcbus` program: one module per command group, which adds its commands and runs them."""

from zcbus.cli.main import main

__all__ = ["main"]
