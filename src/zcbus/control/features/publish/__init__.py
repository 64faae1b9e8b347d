"""Publish nodes: source databases that are read, and the tables they publish. Has no calls of its own yet: sync links
make, change and remove nodes through `service`."""
