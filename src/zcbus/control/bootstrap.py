"""Builds the services of a control plane process and makes the store ready: migrations, roles, first administrator."""

import contextlib
import secrets
from pathlib import Path

from prometheus_client import CollectorRegistry
from sqlalchemy.exc import OperationalError

from zcbus.control.features.registry import FEATURES
from zcbus.control.key_check import check_key_file, use_sealing_key
from zcbus.control.platform.authority import Authority
from zcbus.control.platform.key_source import key_source
from zcbus.control.platform.messages import Catalogue
from zcbus.control.platform.reasons import texts as reasons
from zcbus.control.platform.secrets import SecretBox
from zcbus.control.platform.services import Services
from zcbus.control.platform.token_hash import token_hash
from zcbus.control.store.engine import Database
from zcbus.control.store.metrics.store import MetricStore
from zcbus.control.store.migrate import check_version, migrate
from zcbus.kit.clock import Clock, SystemClock
from zcbus.kit.errors import TransientError
from zcbus.kit.files import write_private_file
from zcbus.kit.settings import Settings

LOCAL_TOKEN_FILE = "local-token"  # noqa: S105  a file's name


class StoreUnreachableError(TransientError):
    """The metadata store could not be used at the start. Facts: detail (the driver's words; they hold no password)."""

    code = "store-unreachable"


def build_services(settings: Settings, clock: Clock | None = None) -> Services:
    """Everything a process needs, without touching the store. Raises KeysInvalidError, and where Vault has the
    master keys encrypted, VaultUnreachable or VaultRefused."""
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    clock = clock or SystemClock()
    return Services(
        settings=settings,
        database=Database(settings.database_url, clock),
        metric_store=_metric_store(settings),
        secrets=SecretBox({}, key_source(settings)),
        catalogue=build_catalogue(),
        clock=clock,
        metrics=CollectorRegistry(),
        local_token_hash=token_hash(local_token(settings.data_dir)),
        authority=Authority(settings),
        started_at=clock.now(),
        caches=tuple(cache for feature in FEATURES for cache in feature.caches),
    )


def _metric_store(settings: Settings) -> MetricStore:
    """The embedded store, or one with a server; then alone are the server's libraries loaded."""
    if settings.metric_store is None:
        return MetricStore(settings.database_url)
    from zcbus.control.features.metric.forwarding import COLUMNS
    from zcbus.control.store.metrics.remote.server import MetricServer
    from zcbus.control.store.metrics.remote.store import RemoteMetricStore

    server = MetricServer(settings.metric_store, settings.tls.trusted)
    return RemoteMetricStore(settings.database_url, server, COLUMNS)


def check_store(services: Services) -> None:
    """For commands that use a prepared store in parallel with the platform. Raises StoreOutdated,
    StoreVersionUnknown, StoreUnreachableError, KeyFileForeignError."""
    try:
        check_version(services.database)
        use_sealing_key(services)
    except OperationalError as error:
        raise StoreUnreachableError(detail=str(error.orig).strip()) from error


def build_catalogue() -> Catalogue:
    """The platform's messages and every feature's."""
    return Catalogue((reasons.ZH, reasons.EN), *((feature.chinese, feature.english) for feature in FEATURES))


def prepare(services: Services) -> list[str]:
    """Migrate the store and let every feature prepare its data. Safe to run in several replicas at once.

    Returns lines for the person who started the platform, such as the first administrator's password. Raises
    KeyFileForeignError and StoreUnreachableError.
    """
    try:
        migrate(services.database)
        services.metric_store.prepare()
        check_key_file(services)
        lines = [feature.prepare(services) for feature in FEATURES if feature.prepare is not None]
    except OperationalError as error:
        services.close()
        raise StoreUnreachableError(detail=str(error.orig).strip()) from error
    except BaseException:
        services.close()
        raise
    return [line for line in lines if line]


def local_token(data_dir: Path) -> str:
    """The data folder's own token, made at the first call: it lets programs on the same host in."""
    path = data_dir / LOCAL_TOKEN_FILE
    with contextlib.suppress(FileExistsError):
        write_private_file(path, secrets.token_urlsafe(32))
    return path.read_text("utf-8").strip()
