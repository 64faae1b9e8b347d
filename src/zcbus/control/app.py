"""Composition of the control plane's web application."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware

from zcbus import __doc__ as description
from zcbus.control.console import console_router, find_console
from zcbus.control.features.registry import FEATURES
from zcbus.control.operational import router as operational_router
from zcbus.control.platform.background import Background
from zcbus.control.platform.feature import Periodic
from zcbus.control.platform.handlers import add_exception_handlers
from zcbus.control.platform.hosts import KnownHosts
from zcbus.control.platform.middleware import BodyLimit, OneSpelling, RequestFrame
from zcbus.control.platform.services import Services
from zcbus.control.store_page import router as store_page_router

# Calls may wait for an agent's answer, each in a thread.
_THREADS = 100
# How long a browser remembers that pages of the public address may call.
_ALLOWED_SECONDS = 3600


def create_app(services: Services, *, periodic: bool = True) -> FastAPI:
    """The application over services that `bootstrap.prepare` made ready. Without `periodic` the caller runs the
    features' periodic actions."""
    app = FastAPI(
        title="ZCBUS",
        description=description or "",
        version=version("zcbus"),
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        lifespan=partial(
            _lifespan, [action for feature in FEATURES for action in feature.periodic] if periodic else []
        ),
        strict_content_type=False,
    )
    app.state.services = services
    add_exception_handlers(app)
    # Routes are added unchanged: `include_router` would build every route again, a fifth of a second for each
    # application.
    for feature in FEATURES:
        app.router.routes.extend(feature.api.router.routes)
    app.include_router(operational_router)
    app.include_router(store_page_router)
    app.include_router(console_router(find_console()))
    app.add_middleware(BodyLimit)
    app.add_middleware(OneSpelling, product=services.settings.product)
    app.add_middleware(KnownHosts, services=services)
    settings = services.settings
    if settings.service_url is not None:
        # Sessions are in a header of their own: without credentials of the browser no page of another site has one.
        app.add_middleware(
            CORSMiddleware,
            allow_origins=[settings.public_address or ""],
            allow_methods=["GET", "POST"],
            allow_headers=["*"],
            expose_headers=["*"],
            max_age=_ALLOWED_SECONDS,
        )
    app.add_middleware(RequestFrame, metrics=services.metrics, service_url=settings.service_url)
    return app


@asynccontextmanager
async def _lifespan(actions: Sequence[Periodic], app: FastAPI) -> AsyncIterator[None]:
    services: Services = app.state.services
    current_default_thread_limiter().total_tokens = _THREADS
    background = Background(services, actions)
    background.start()
    services.database.relay.start()
    try:
        yield
    finally:
        background.stop()
        services.close()
