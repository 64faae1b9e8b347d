"""Topics of brokers that keep a message until it is acknowledged and have neither positions nor a replay.

A message is acknowledged once its row is durable on the bus, so none is lost; one whose acknowledgement the broker did
not get is delivered again. Each delivery gets a number, which is the row's key unless the topic has a key of its own:
then the repeat writes the same row again.
"""
