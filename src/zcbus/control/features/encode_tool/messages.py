"""Text about the encode tool."""

ZH = {"not-encoded-here": "该内容不是本系统加密的，或已被修改"}

EN = {"not-encoded-here": "This was not encrypted by this installation, or it was altered"}
