"""Tables of files: each record is a row whose key is its file and its number in it.

A folder's contents are compared with the published ones (`manifest`): records of new and changed files are published as
updates of their keys, those of removed and truncated files as deletes. A repetition does no harm, so after a crash the
current file is published again from its start.
"""
