"""The message bus between publish and subscribe: its contract, and what fulfils it."""
