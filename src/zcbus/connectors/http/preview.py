"""Preview of a resource; see previewing.Previewer."""

from collections.abc import Sequence

from zcbus.connectors.errors import AccessDenied, TableMissing, TableRefused
from zcbus.connectors.formats.form import BadRecord
from zcbus.connectors.http.client import Client
from zcbus.connectors.http.document import Interface, Resource
from zcbus.connectors.http.document_text import line_of, read
from zcbus.connectors.http.inference import undeclared
from zcbus.connectors.http.records import Record, Records, column_of, value_of
from zcbus.connectors.http.spec import SCHEMA, HttpOptions
from zcbus.connectors.http.target.sample import preview_target
from zcbus.connectors.previewing import MAX_VALUE_LENGTH, Preview, PreviewColumn, PreviewFault

Texts = list[str | None]


class HttpPreviewer:
    """Reads one page of the resource, and one of each of its ancestors; of a target shows the requests."""

    def preview(self, options: HttpOptions, table: str, rows: int) -> Preview:
        interface = read(options.definition)
        names = tuple(dict.fromkeys(one.name for one in (*interface.resources, *interface.targets)))
        if interface.resource(table or names[0]) is None and table in ("", *names):
            return preview_target(options, interface, table or names[0], names)
        number, resource = _chosen(interface, table)
        columns = tuple(
            PreviewColumn(name, part.data.native, name in resource.key, part.parent or part.path or name)
            for name, part in resource.columns.items()
        )
        empty = Preview(names, resource.name, columns)
        client = Client(options, interface, patient=False)
        try:
            page = Records(options, interface, client).first_page(resource)[:rows]
        except AccessDenied as error:
            return _with_fault(empty, _fault(options, ("auth",), str(error.facts["detail"])))
        except TableRefused as error:
            return _with_fault(empty, _fault(options, ("resources", number), str(error.facts["detail"])))
        finally:
            client.close()
        return _shown(options, number, resource, empty, page)


def _chosen(interface: Interface, table: str) -> tuple[int, Resource]:
    for number, resource in enumerate(interface.resources):
        if table in ("", resource.name):
            return number, resource
    raise TableMissing(table=f"{SCHEMA}.{table}", side="source")


def _shown(options: HttpOptions, number: int, resource: Resource, empty: Preview, page: Sequence[Record]) -> Preview:
    found, faults = list[Texts](), list[PreviewFault]()
    for name in resource.columns:
        try:
            found.append(column_of(resource, name, page, 0).to_pylist())
        except BadRecord as bad:
            place = ("resources", number, "columns", name)
            faults.append(_fault(options, place, bad.detail, bad.record))
            found.append(_raw(resource, name, page))
    rows = tuple(tuple(map(_short, row)) for row in zip(*found, strict=True))
    return Preview(
        empty.tables, empty.table, empty.columns, rows, undeclared(resource, [one for one, _ in page]), tuple(faults)
    )


def _raw(resource: Resource, name: str, page: Sequence[Record]) -> Texts:
    try:
        return [value_of(name, resource.columns[name], *one) for one in page]
    except RecursionError:
        return [None for _ in page]


def _short(value: str | None) -> str | None:
    if value is None:
        return None
    # Lone surrogates cannot be encoded.
    text = value.encode("utf-8", "replace").decode()
    return text if len(text) <= MAX_VALUE_LENGTH else text[:MAX_VALUE_LENGTH] + "…"


def _fault(options: HttpOptions, place: tuple[str | int, ...], detail: str, record: int = 0) -> PreviewFault:
    return PreviewFault(line_of(options.definition, place), ".".join(map(str, place)), detail, record)


def _with_fault(preview: Preview, fault: PreviewFault) -> Preview:
    return Preview(preview.tables, preview.table, preview.columns, faults=(fault,))
