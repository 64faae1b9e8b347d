"""Text about downloads."""

ZH = {"download-missing": "此安装没有该文件：请刷新下载页面"}

EN = {"download-missing": "This installation does not have the file: reload the page of downloads"}
