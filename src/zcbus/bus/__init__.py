"""The message bus between publish and subscribe: its contract and implementations."""
