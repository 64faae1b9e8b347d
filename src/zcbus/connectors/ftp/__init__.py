"""Files in folders of FTP servers."""
