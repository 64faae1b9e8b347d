"""Targets that receive events and keep nothing that could be read back: services, and brokers of messages."""
