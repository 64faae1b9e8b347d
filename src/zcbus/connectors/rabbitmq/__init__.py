"""RabbitMQ: queues of a broker as a source of messages."""
