"""Decodes the events of the binary log into Arrow columns. Knows no captured table and opens no connection.

It imports nothing but itself and `zcbus.model`, so it could be published alone.
"""
