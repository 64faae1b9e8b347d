"""Placement of services on hosts: leases, claims, moves and take-overs.

Without calls of its own: syncs of agents drive it. Operators choose hosts in the feature `service`.
"""
