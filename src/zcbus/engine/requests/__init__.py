"""Answers to the questions of zcbus.protocol.requests."""
