"""What SAML sign-in keeps in the store: the platform's own key, and which assertions were used."""

from datetime import datetime

from sqlalchemy import delete, select

from zcbus.control.platform.services import Services
from zcbus.control.platform.token_hash import token_hash
from zcbus.control.store.sealed import place
from zcbus.control.store.tables.saml import saml_key, used_assertion
from zcbus.kit.certificates import KeyPair, make_signing_certificate

_ONLY = "own"
_NAME = "zcbus"


def own_key(services: Services) -> KeyPair:
    """The key that signs requests; made at the first use, then the same for all control planes over the store."""
    found = _find(services)
    if found is not None:
        return found
    made = make_signing_certificate(services.clock.now(), _NAME)
    values = {
        "id": _ONLY,
        "certificate": made.certificate.decode(),
        "sealed_key": services.secrets.seal(made.key.decode(), place(saml_key.c.sealed_key, _ONLY)),
        "created_at": services.clock.now(),
    }
    with services.database.write_alone() as connection:
        if connection.execute(select(saml_key.c.id)).first() is None:
            connection.execute(saml_key.insert().values(**values))
    return _find(services) or made


def _find(services: Services) -> KeyPair | None:
    with services.database.read() as connection:
        row = connection.execute(select(saml_key).where(saml_key.c.id == _ONLY)).one_or_none()
    if row is None:
        return None
    key = services.secrets.open(row.sealed_key, place(saml_key.c.sealed_key, _ONLY))
    return KeyPair(row.certificate.encode(), key.encode())


def use_once(services: Services, assertion_id: str, until: datetime) -> bool:
    """Note that the assertion was used; False: it was before. `until`: when it can be forgotten."""
    hashed = token_hash(assertion_id)
    with services.database.write_alone() as connection:
        connection.execute(delete(used_assertion).where(used_assertion.c.expires_at <= services.clock.now()))
        if connection.execute(select(used_assertion).where(used_assertion.c.id_hash == hashed)).first():
            return False
        connection.execute(used_assertion.insert().values(id_hash=hashed, expires_at=until))
    return True
