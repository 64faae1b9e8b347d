"""ZCBUS: data replication and data exchange between real databases."""

from importlib.metadata import version

__version__ = version("zcbus")
