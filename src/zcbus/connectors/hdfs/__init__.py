"""Files in HDFS."""
