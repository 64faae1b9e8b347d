"""RabbitMQ: queues and streams of a broker as a source of messages, and rows as messages."""
