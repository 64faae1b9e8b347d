"""MQTT 5: topics of a broker as a source of messages."""
