"""The way to sign in that a description's security schemes lead to."""

from typing import Any

from pydantic import TypeAdapter, ValidationError

from zcbus.connectors.http.document import Auth
from zcbus.connectors.http.openapi.description import Description, Json, as_object

_auth: TypeAdapter[Any] = TypeAdapter(Auth)
_NONE = {"type": "none"}


def auth_of(description: Description, operation: Json) -> tuple[dict[str, str], bool]:
    """`auth` of the document, and whether it is a guess: the first scheme of the operation, or of the whole
    description, that the document can express."""
    wanted = operation.get("security", description.root.get("security"))
    schemes = as_object(as_object(description.root.get("components")).get("securitySchemes"))
    names = [str(name) for one in (wanted if isinstance(wanted, list) else ()) for name in as_object(one)]
    for name in names:
        found = _auth_of(description.resolved(schemes.get(name)))
        if found is not None and _is_valid(found[0]):
            return found
    # Many descriptions define schemes and require none.
    return _NONE, bool(names) or (wanted is None and bool(schemes))


def _auth_of(scheme: Json) -> tuple[dict[str, str], bool] | None:
    kind, place = scheme.get("type"), scheme.get("in")
    if kind == "http" and str(scheme.get("scheme", "")).lower() in ("basic", "bearer"):
        return {"type": str(scheme["scheme"]).lower()}, False
    if kind == "apiKey" and place in ("header", "query"):
        return {"type": "key", str(place): str(scheme.get("name", ""))}, False
    client = as_object(as_object(scheme.get("flows")).get("clientCredentials"))
    if kind == "oauth2" and client.get("tokenUrl"):
        scopes = " ".join(map(str, as_object(client.get("scopes"))))
        return {"type": "oauth2", "token_url": str(client["tokenUrl"]), **({"scope": scopes} if scopes else {})}, False
    # The other ways want a person: a token that was obtained elsewhere is sent.
    return ({"type": "bearer"}, True) if kind in ("oauth2", "openIdConnect") else None


def _is_valid(auth: dict[str, str]) -> bool:
    try:
        _auth.validate_python(auth)
    except ValidationError:
        return False
    return True
