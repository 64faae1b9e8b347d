"""Iceberg tables in a namespace of a catalogue, with their files on the agent's host or in a bucket."""
