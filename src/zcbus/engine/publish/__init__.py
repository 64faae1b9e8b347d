"""Publish: capture of a source to the real topic, snapshots to full topics."""
