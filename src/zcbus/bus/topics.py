"""How the platform's topics are called."""


def real_topic(node: str) -> str:
    """Changes of one publish node, all tables, in commit order."""
    return f"real/{node}"


def full_topic(node: str, table: str, generation: int) -> str:
    """Snapshot number `generation` of one published table (by its id)."""
    return f"full/{node}/{table}/{generation}"
