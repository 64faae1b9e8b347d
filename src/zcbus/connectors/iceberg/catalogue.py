"""A namespace of Iceberg tables, and what the libraries say in the platform's errors."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pyarrow as pa
from obstore.exceptions import BaseError as StoreError
from obstore.exceptions import PermissionDeniedError, UnauthenticatedError
from pyiceberg.catalog import Catalog
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import (
    AuthorizationExpiredError,
    CommitFailedException,
    CommitStateUnknownException,
    ForbiddenError,
    NoSuchNamespaceError,
    NoSuchTableError,
    OAuthError,
    ResolveError,
    RESTError,
    ServerError,
    ServiceUnavailableError,
    TooManyRequestsError,
    UnauthorizedError,
    ValidationError,
    ValidationException,
)
from pyiceberg.io import FileIO
from pyiceberg.table import Table
from requests.exceptions import RequestException
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from zcbus.connectors.errors import DatabaseFailed
from zcbus.connectors.folder_names import folder_of
from zcbus.connectors.iceberg.files import LakeFiles, OutsideLake, properties_of
from zcbus.connectors.iceberg.rest import RestLakeCatalogue
from zcbus.connectors.iceberg.spec import IcebergOptions
from zcbus.connectors.lakes.place import LakePlace, denied, says_denied, short, unavailable
from zcbus.connectors.options import OptionsInvalid
from zcbus.connectors.writing.decided import ConcurrentCommit
from zcbus.kit.file_folder import FileOutside, confined
from zcbus.kit.network import AddressRefused

OWN = "zcbus_state"
"""The table that keeps positions."""
_ONCE = {
    "commit.retry.num-retries": "0",  # a stale commit that is tried again would not be fenced
    "write.metadata.delete-after-commit.enabled": "true",
    "write.metadata.previous-versions-max": "10",
    "write.target-file-size-bytes": str(128 << 20),
}
_FORBIDDEN = (UnauthorizedError, ForbiddenError, AuthorizationExpiredError, OAuthError)
_REFUSED = (PermissionDeniedError, UnauthenticatedError)
_PASSING = (ServerError, ServiceUnavailableError, TooManyRequestsError, CommitStateUnknownException)


class _SqliteCatalogue(SqlCatalog):
    """See SqlCatalog."""

    def _load_file_io(self, properties: Any = None, location: str | None = None) -> FileIO:
        return LakeFiles(self.properties)  # what the metadata of a table says leads nowhere else


class LakeCatalogue:
    """Where the tables are. Errors: TargetUnavailable, AccessDenied, DatabaseFailed, ConcurrentCommit."""

    def __init__(self, options: IcebergOptions) -> None:
        """Makes the local folder where it is missing."""
        self._options = options
        self._catalogue: Catalog | None = None
        if options.catalogue == "rest" and not (options.uri and options.bucket):
            raise OptionsInvalid(kind=options.kind, option="bucket" if options.uri else "uri", expected="")
        if options.catalogue == "sqlite" and not options.folder:
            raise OptionsInvalid(kind=options.kind, option="folder", expected="")
        with self.translated():
            self._place = LakePlace(options, "" if options.catalogue == "rest" else options.folder)
            local = options.catalogue == "sqlite" and confined(options.tenant, options.folder)
            if local:
                local.mkdir(parents=True, exist_ok=True)
                self._database = local / "catalog.db"
        scheme = "" if options.bucket else "file://"
        self.files = LakeFiles(properties_of(self._place.files, f"{scheme}{self._place.root}"))
        self._root = f"{scheme}{self._place.root}"

    @property
    def kind(self) -> str:
        return self._options.kind

    @property
    def place(self) -> str:
        """Id of the namespace, unique in this process."""
        options = self._options
        return f"{options.uri or self._root}|{options.warehouse}|{options.namespace}"

    def open(self, name: str) -> Table | None:
        """A table as it is now; None: there is none."""
        with self.translated():
            try:
                return self._there().load_table(self._identifier(name))
            except (NoSuchTableError, NoSuchNamespaceError):
                return None

    def create(self, name: str, schema: pa.Schema, properties: Mapping[str, str]) -> Table:
        """A table that is there from now on; one that is there already stays as it is."""
        options = self._options
        is_ours = options.catalogue == "sqlite"  # a service decides by itself where a table lies
        location = f"{self._root}/{options.namespace}/{folder_of(name)}" if is_ours else None
        with self.translated(name):
            catalogue = self._there()
            catalogue.create_namespace_if_not_exists(options.namespace)
            return catalogue.create_table_if_not_exists(
                self._identifier(name), schema, location, properties={**_ONCE, **properties}
            )

    def names(self) -> list[str]:
        """Names of tables, sorted, but for our own."""
        with self.translated():
            try:
                found = self._there().list_tables(self._options.namespace)
            except NoSuchNamespaceError:
                return []
        return sorted(one[-1] for one in found if one[-1] != OWN)

    def remove(self, name: str) -> None:
        """Delete a table with all of its files. Idempotent."""
        table = self.open(name)
        if table is None:
            return
        with self.translated(name):
            self._there().drop_table(self._identifier(name))
            for location, _ in self.files.listed(table.location()):
                self.files.delete(location)

    @contextmanager
    def translated(self, table: str = "") -> Iterator[None]:
        """Raise what the libraries raise inside as a connector error."""
        options = self._options
        try:
            yield
        except (CommitFailedException, ValidationException) as error:
            raise ConcurrentCommit(str(error)) from error
        except _FORBIDDEN as error:
            raise denied(options, error, options.clientid) from error
        except (*_REFUSED, FileOutside, AddressRefused, PermissionError, OutsideLake) as error:
            raise denied(options, error) from error
        except (*_PASSING, RequestException, OperationalError) as error:
            raise unavailable(options, short(error)) from error
        except (OSError, StoreError) as error:
            raise (denied(options, error) if says_denied(error) else unavailable(options, short(error))) from error
        except (RESTError, SQLAlchemyError, ResolveError, ValidationError, pa.ArrowException, ValueError) as error:
            raise DatabaseFailed(kind=options.kind, detail=short(error), table=table) from error

    def _identifier(self, name: str) -> tuple[str, str]:
        return self._options.namespace, name

    def _there(self) -> Catalog:
        if self._catalogue is None:
            self._catalogue = self._made()
        return self._catalogue

    def _made(self) -> Catalog:
        options, files = self._options, properties_of(self._place.files, self._root)
        if options.catalogue == "sqlite":
            return _SqliteCatalogue("zcbus", uri=f"sqlite:///{self._database}", warehouse=self._root, **files)
        token_uri = options.tokenuri or f"{options.uri.rstrip('/')}/v1/oauth/tokens"
        given = {"uri": options.uri, "warehouse": options.warehouse, "oauth2-server-uri": token_uri}
        if options.clientid:
            given["credential"] = f"{options.clientid}:{options.clientsecret}"
        return RestLakeCatalogue({**given, **files}, self.files, verify=options.tls == "verify-full")
