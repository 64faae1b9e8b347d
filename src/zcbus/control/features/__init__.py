"""Features of the control plane, one folder per noun. The layout, with `parameter` as the model to copy:

    features/<noun>/
        __init__.py     feature = Feature(api, ZH, EN[, prepare, periodic])   and nothing else
        endpoints.py    api = Api("<noun>") and its calls: a few lines each, they call the service
        schemas.py      requests and answers (subclasses of `platform.schema.Schema`; pages: `platform.paging`)
        service.py      the rules; gets a Connection and what it needs, raises errors, knows no HTTP
        repository.py   the queries; the only file of the feature that imports its tables
        errors.py       subclasses of BusinessError (HTTP 200 with `wire_code`) or of platform errors
        messages.py     ZH and EN: error code (or any key) → text with {facts}; both have the same keys

Then add the feature to `features/registry.py`. Its tables go to `store/tables/<noun>.py` (imported in
`store/tables/__init__.py`) and into a migration `store/migrations/versions/000N_<noun>.py`.

Rules:
- A call is declared with its callers: `authorise("sync-link", Operation.EDIT)`, `signed_in()`, `agents_only()` or
  `public("why")`. There is no default; menu keys and their operations come from the pages'
  definitions (`console/src/features/<noun>/pages.ts`, written to `platform/menu_catalogue.json` by `npm run menu`).
- `@api.read(path, access)` runs in a reading transaction, `@api.change(path, access)` in a writing one that commits
  before the answer leaves and that also holds the operation log's record: fill `call.audit.subject`, `.before`,
  `.after`.
  Slow calls (waiting for an agent, hashing) take `unit=Unit.OWN` and open `call.services.database.read()` or
  `.write()` for short moments. Machines that call every second take `audited=False`.
- A list is declared next to its record and request: `LINKS = ListDefinition(LinkRecord, {wire name: column})` of
  `platform.paging`. Its call names it (`lists=LINKS`) and answers `answer_page(call, body, Listing(LINKS, statement,
  usual_order, Record.of_row))`; from it the console knows the sortable columns. The console's columns are fields of
  the record, or name those that they are made of: another name does not compile.
- Paths are written with `/api/zcbus/…`; the `{product}` spelling is added.
- Every query over tenants' rows carries `call.principal.visible(table.c.tenant_id)`; new rows get
  `call.principal.tenant_id`; an absent or invisible object is `RecordNotFoundError(kind=…, id=…)`.
- Secrets: `call.services.secrets.seal(text, context)`; never in an answer. Fields named *password*, *secret* or *token*
  are hidden from the operation log.
- Features call each other's service, never the repository, without cycles.
"""
