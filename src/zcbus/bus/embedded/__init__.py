"""The embedded bus: topics as folders of segment files on this host, shared by all its processes.

What a topic's folder holds, and why a crash loses nothing that was acknowledged, is told in `layout` and `recovery`.
"""
