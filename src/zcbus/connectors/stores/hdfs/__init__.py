"""Folders of HDFS, by WebHDFS."""

from zcbus.connectors.stores.hdfs.client import HdfsAccess, HdfsClient, HdfsRefusal
from zcbus.connectors.stores.hdfs.store import HdfsStore

__all__ = ["HdfsAccess", "HdfsClient", "HdfsRefusal", "HdfsStore"]
