"""Topics of Kafka clusters as a source."""
