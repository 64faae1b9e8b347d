"""Files in folders of SFTP servers."""
