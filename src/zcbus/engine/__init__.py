"""Publish, subscribe, comparison and stream query.

The engine accesses databases by the connectors' roles and the bus by its contract.
"""
