"""Decodes the messages of the output plugin `pgoutput` into Arrow columns. Opens no connection.

It imports nothing but itself and `zcbus.model`, so it could be published alone.
"""
