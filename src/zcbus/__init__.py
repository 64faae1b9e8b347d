"""ZCBUS: data replication and data exchange between real databases."""

import os

# No other package takes part in reading messages, and looking for some that would takes a while at every start.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
