"""Folders of files as targets: a transaction is decided by one new file of the folder's state."""
