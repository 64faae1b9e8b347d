"""Errors of the rotation of master keys."""

from zcbus.control.platform.errors import BusinessError


class KeyNotEverywhereError(BusinessError):
    """Running control planes do not hold the new key. Facts: key, hosts, path."""

    code = "master-key-not-everywhere"


class KeyNotUsedError(BusinessError):
    """Running control planes still seal with another key. Facts: key, hosts."""

    code = "master-key-not-used"


class KeyUnknownError(BusinessError):
    """There is no such key. Facts: key."""

    code = "master-key-unknown"


class KeySealsError(BusinessError):
    """The key is the one that seals. Facts: key."""

    code = "master-key-seals"


class KeyNeededError(BusinessError):
    """Stored secrets are sealed with the key. Facts: key, count, where."""

    code = "master-key-needed"


class KeyRecentError(BusinessError):
    """The key sealed until a short time ago: browsers may hold texts of it. Facts: key, until."""

    code = "master-key-recent"
