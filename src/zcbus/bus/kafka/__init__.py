"""The bus over hosts: each topic is a Kafka topic of one partition (docs/decisions/0008)."""
