"""From a source database to topics: capture to the real topic, snapshots to full topics."""
