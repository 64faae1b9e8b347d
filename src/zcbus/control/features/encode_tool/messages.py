"""Text about the encode tool."""

ZH = {"not-encoded-here": "该内容不是本租户在本系统中加密的，或已被修改"}

EN = {"not-encoded-here": "This was not encrypted by this tenant on this installation, or it was altered"}
