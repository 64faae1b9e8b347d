"""The menu keys a role can be allowed, in the order the console shows them. Only what works is listed."""

MENU_KEYS: tuple[str, ...] = ("home", "sync-link", "sync-task")
