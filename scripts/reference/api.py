"""Calls of the API, from the features' declarations."""

from collections.abc import Iterator

from fastapi.routing import APIRoute

from reference.markdown import code, page, table
from zcbus.control.features.registry import FEATURES
from zcbus.control.platform.authorisation import Access

INTRODUCTION = """A call takes and returns JSON: `{"code": 200, "message": "…", "data": …}`. The token travels in the
header `ZCBUS-TOKEN`; `zcbus token create NAME` creates one. Lists take `current` (from 1), `size` (−1: all), `sort`,
`order` and answer `records` and `total`. Schemas: `/openapi.json`, browsable at `/swagger-ui.html`.

*Right* names the menu entry and operation that a role must allow; *signed in*: any session or token; *public*: none."""


def pages() -> dict[str, str]:
    """File name → text."""
    parts = [INTRODUCTION]
    for feature in sorted(FEATURES, key=lambda one: one.api.tag):
        rows = list(_rows(feature.api.router.routes))
        if rows:
            parts += [f"## {feature.api.tag}", table(("call", "", "right"), rows)]
    return {"api.md": page("API", *parts)}


def _rows(routes: list[object]) -> Iterator[tuple[str, str, str]]:
    for route in routes:
        if isinstance(route, APIRoute) and route.include_in_schema:
            summary = (route.summary or "").split("\n\n")[0].replace("\n", " ")
            method = next(iter(route.methods))
            yield code(f"{method} {route.path}"), summary, _right(route.endpoint.rules.access)  # type: ignore[attr-defined]


def _right(access: Access) -> str:
    if access.kind in ("public", "agent"):
        return access.kind
    pairs = " or ".join(f"{key}: {operation.value}" for key, operation in access.pairs)
    return f"own; others: {pairs}" if access.kind == "own" else pairs or "signed in"
