"""Calls of policies: definition, versions, data sheet, documents."""

from typing import Any

from sqlalchemy import Row

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.policy import documents, policies, sheet
from zcbus.control.features.policy.difference import compare
from zcbus.control.features.policy.documents import MENU_KEY
from zcbus.control.features.policy.schemas import (
    CANDIDATES,
    POLICIES,
    SHEET,
    VERSIONS,
    ComparisonRequest,
    DocumentRecord,
    DocumentRequest,
    ExportRequest,
    PolicyCandidate,
    PolicyCandidateRequest,
    PolicyChange,
    PolicyChoice,
    PolicyDeletion,
    PolicyDifference,
    PolicyDocument,
    PolicyExport,
    PolicyInput,
    PolicyPageRequest,
    PolicyRecord,
    PolicySheetRequest,
    PolicyTableRecord,
    PolicyVersionRecord,
    PolicyVersionRequest,
    SheetSave,
    SheetTables,
    VersionChoice,
    VersionInput,
)
from zcbus.control.platform.authorisation import authorise, authorise_any
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page, answer_page
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api

api = Api("policy")

DISTRIBUTE_KEY = "policy/distribute"
# A distributor sees the contents.
_VIEW = authorise_any((MENU_KEY, Operation.VIEW), (DISTRIBUTE_KEY, Operation.VIEW))
_EDIT = authorise(MENU_KEY, Operation.EDIT)
_OPERATE = authorise(MENU_KEY, Operation.OPERATE)
_BASE = "/api/zcbus/policy/define"
_SHEET = "/api/zcbus/policy/sheet"
_DOCUMENT = "/api/zcbus/policy/document"


@api.read(f"{_BASE}/page", _VIEW, lists=POLICIES)
def page_policies(call: Call, body: PolicyPageRequest) -> Page[PolicyRecord]:
    """Policies with their newest version and the number of customers that have one."""
    return answer_page(call, body, policies.listing(call, body))


@api.read(f"{_BASE}/get", _VIEW)
def get_policy(call: Call, body: PolicyChoice) -> PolicyRecord:
    """One policy."""
    return policies.record(_find(call, body.id))


@api.change(f"{_BASE}/add", authorise(MENU_KEY, Operation.CREATE))
def add_policy(call: Call, body: PolicyInput) -> PolicyRecord:
    """Make a policy of the tables of a publish node; its draft has none yet."""
    call.audit.subject = body.product_name
    return _record(call, policies.add(call, body))


@api.change(f"{_BASE}/edit", _EDIT)
def edit_policy(call: Call, body: PolicyChange) -> PolicyRecord:
    """Change a policy's name, remark, and the settings of its draft for all tables. Versions stay unchanged."""
    row = _find(call, body.id)
    call.audit.subject, call.audit.before = row.product_name, _audit_fields(row)
    policies.edit(call, row, body)
    return _record(call, row.id)


@api.change(f"{_BASE}/delete", authorise(MENU_KEY, Operation.DELETE))
def delete_policy(call: Call, body: PolicyDeletion) -> None:
    """Move a policy that no customer has, with its versions, into the recycle bin. Codes 40104 and 40105 speak of the
    captcha."""
    confirm_deletion(call, body)
    row = _find(call, body.id)
    call.audit.subject, call.audit.before = row.product_name, _audit_fields(row)
    policies.delete(call, row)


@api.read(f"{_BASE}/version/page", _VIEW, lists=VERSIONS)
def page_versions(call: Call, body: PolicyVersionRequest) -> Page[PolicyVersionRecord]:
    """Versions of a policy, the newest first."""
    return answer_page(call, body, policies.version_listing(_find(call, body.id).id))


@api.change(f"{_BASE}/version/add", _OPERATE)
def add_version(call: Call, body: VersionInput) -> PolicyVersionRecord:
    """Make a version of the draft, which nothing changes any more."""
    row = _find(call, body.id)
    call.audit.subject = row.product_name
    number = policies.release(call, row, body.note)
    call.audit.after = {"version": number, "note": body.note}
    return PolicyVersionRecord.of_row(policies.find_version(call.connection, row.id, number))


@api.change(f"{_BASE}/version/retire", _OPERATE)
def retire_version(call: Call, body: VersionChoice) -> None:
    """Let a version be distributed no more. Customers that have it keep it."""
    _retire(call, body, retired=True)


@api.change(f"{_BASE}/version/reinstate", _OPERATE)
def reinstate_version(call: Call, body: VersionChoice) -> None:
    """Let a retired version be distributed again."""
    _retire(call, body, retired=False)


@api.change(f"{_BASE}/version/restore", _EDIT)
def restore_version(call: Call, body: VersionChoice) -> PolicyRecord:
    """Make a version's contents the draft."""
    row = _find(call, body.id)
    call.audit.subject, call.audit.after = row.product_name, {"version": body.version}
    policies.restore(call, row, body.version)
    return _record(call, row.id)


@api.read(f"{_BASE}/compare", _VIEW)
def compare_versions(call: Call, body: ComparisonRequest) -> PolicyDifference:
    """The difference of two versions, or of a version and the draft."""
    row = _find(call, body.id)
    before = policies.contents_of(call.connection, row, body.before)
    return policies.difference_record(compare(before, policies.contents_of(call.connection, row, body.after)))


@api.read(f"{_SHEET}/page", _VIEW, lists=SHEET)
def page_sheet(call: Call, body: PolicySheetRequest) -> Page[PolicyTableRecord]:
    """Tables of a policy's draft or of one of its versions."""
    return sheet.page(call, _find(call, body.id), body)


@api.read(f"{_SHEET}/candidate/page", _EDIT, lists=CANDIDATES)
def page_candidates(call: Call, body: PolicyCandidateRequest) -> Page[PolicyCandidate]:
    """Tables that the policy's node publishes and that the draft has not."""
    return answer_page(call, body, sheet.candidates(_find(call, body.id), body))


@api.change(f"{_SHEET}/add", _EDIT)
def add_tables(call: Call, body: SheetTables) -> PolicyRecord:
    """Take published tables into the draft."""
    return _change_tables(call, body, "add")


@api.change(f"{_SHEET}/remove", _EDIT)
def remove_tables(call: Call, body: SheetTables) -> PolicyRecord:
    """Take tables out of the draft. Customers have them until a version without them is distributed."""
    return _change_tables(call, body, "remove")


@api.change(f"{_SHEET}/save", _EDIT)
def save_table(call: Call, body: SheetSave) -> PolicyRecord:
    """Change the draft's settings of one of its tables."""
    row = _find(call, body.id)
    before = sheet.save(call, row, body.table)
    call.audit.subject = f"{row.product_name}: {before.name}"
    call.audit.before = before.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    call.audit.after = body.table.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return _record(call, row.id)


@api.change(f"{_DOCUMENT}/apply", _EDIT)
def apply_document(call: Call, body: DocumentRequest) -> DocumentRecord:
    """Create or change the policy of that name by the document, and a version of it on request."""
    call.audit.subject = body.document.policy
    return documents.apply(call, body)


@api.read(f"{_DOCUMENT}/diff", _VIEW)
def diff_document(call: Call, body: PolicyDocument) -> PolicyDifference:
    """The changes of the draft by applying a document."""
    result: PolicyDifference = documents.difference(call, body)
    return result


@api.read(f"{_DOCUMENT}/export", _VIEW)
def export_document(call: Call, body: ExportRequest) -> PolicyExport:
    """A draft or a version as code."""
    return PolicyExport(document=documents.export(call, _find(call, body.id), body.version))


def _find(call: Call, policy_id: str) -> Row[Any]:
    return policies.find(call.connection, call.principal, policy_id)


def _record(call: Call, policy_id: str) -> PolicyRecord:
    return policies.record(_find(call, policy_id))


def _retire(call: Call, body: VersionChoice, *, retired: bool) -> None:
    row = _find(call, body.id)
    call.audit.subject, call.audit.after = row.product_name, {"version": body.version, "retired": retired}
    policies.retire(call, row, body.version, retired=retired)


def _change_tables(call: Call, body: SheetTables, action: str) -> PolicyRecord:
    row = _find(call, body.id)
    call.audit.subject, call.audit.after = row.product_name, {"action": action, "tables": body.tables}
    (sheet.add if action == "add" else sheet.remove)(call, row, body.tables)
    return _record(call, row.id)


def _audit_fields(row: Row[Any]) -> dict[str, Any]:
    fields: dict[str, Any] = policies.record(row).model_dump(mode="json", by_alias=True, exclude={"id", "updated_at"})
    return fields
