"""Tables of topics: each message is a row whose key is its partition and its offset there.

Messages never change, so a row is written once, and once more does no harm. Where reading goes on in each partition, a
vector of offsets, travels in the frames' `executed`: it is durable with the rows that it speaks of.
"""
