"""Publish, subscribe, comparison and computation.

The engine accesses databases by the connectors' roles and the bus by its contract.
"""
