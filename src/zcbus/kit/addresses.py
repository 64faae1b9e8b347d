"""What an address says about how to speak to it."""


def is_encrypted(url: str) -> bool:
    """Whether there are certificates to check. A client reads those that this host trusts when it is made, which takes
    longer than a call: one of an address in clear is spared that."""
    return not url.lower().startswith("http:")
