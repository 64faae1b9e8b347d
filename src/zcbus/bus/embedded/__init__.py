"""The embedded bus: topics as folders of segment files on this host, shared by all its processes.

`layout` describes a topic's folder, `recovery` why a crash loses no acknowledged record.
"""
