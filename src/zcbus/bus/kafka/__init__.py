"""The bus on Kafka: each topic is a Kafka topic of one partition (docs/decisions/0008)."""
