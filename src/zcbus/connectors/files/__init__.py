"""Tables of files: each record is a row whose key is its file and its number there.

What a folder has is compared with what was told of it (`manifest`): records of new and changed files are told as
updates of their keys, those of removed files and of ends that were cut off as deletes. Telling something twice does no
harm, so after a crash the file in hand is told again from its start.
"""
