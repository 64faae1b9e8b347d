"""Customers, masters, channels: who receives published tables. Has no calls of its own yet: sync links make, change
and remove subscriptions through `service`."""
