"""Snapshot, capture, apply and their hand-over.

Sees databases through the connectors' roles and the bus through its contract.
"""
