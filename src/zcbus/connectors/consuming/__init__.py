"""Tables of topics: each message is a row whose key is its partition and its offset.

Messages never change, so a repeated write of a row does no harm. The resume position, a vector of offsets by partition,
is carried in the frames' `gtid_set`: it is durable with the rows that it covers.
"""
