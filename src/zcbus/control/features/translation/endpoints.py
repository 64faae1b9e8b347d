"""Calls of custom texts."""

from zcbus.control.features.captcha.deletion import confirm_deletion
from zcbus.control.features.translation import listing, service, transfer, use
from zcbus.control.features.translation.schemas import (
    TEXTS,
    CustomTexts,
    ImportPreview,
    ImportResult,
    ResetResult,
    TextChoice,
    TextForm,
    TextPageRequest,
    TextRecord,
    TextReset,
    TextsExport,
    TextsFile,
    TextsImport,
)
from zcbus.control.platform.authorisation import authorise, public, signed_in
from zcbus.control.platform.call import Call
from zcbus.control.platform.paging import Page, page_of
from zcbus.control.platform.principal import Operation
from zcbus.control.platform.routing import Api

api = Api("translation")

MENU_KEY = "resource/translation"
_BASE = "/api/zcbus/resource/translation"


@api.read("/api/zcbus/common/texts/custom", signed_in(), method="GET")
def custom(call: Call) -> CustomTexts:
    """Texts that the console reads instead of its own, in the caller's language."""
    texts = use.of_console(call.connection, call.services.catalogue, call.language)
    return CustomTexts(texts=texts)


@api.read("/api/zcbus/common/texts/sign-in", public("texts of the sign-in page"), method="GET")
def sign_in(call: Call) -> CustomTexts:
    """The same for pages that are shown before signing in."""
    chosen = use.SIGN_IN_NAMESPACES.__contains__
    return CustomTexts(texts=use.of_console(call.connection, call.services.catalogue, call.language, chosen))


@api.read(f"{_BASE}/page", authorise(MENU_KEY, Operation.VIEW), lists=TEXTS)
def page(call: Call, body: TextPageRequest) -> Page[TextRecord]:
    """Texts of console and server, shipped and custom, in both languages."""
    return page_of(listing.found(call, body), body, TEXTS)


@api.change(f"{_BASE}/save", authorise(MENU_KEY, Operation.EDIT))
def save(call: Call, body: TextForm) -> None:
    """Set the custom texts of a key. The console reads them when it is next opened, the server within seconds."""
    service.save(call, body)


@api.change(f"{_BASE}/reset", authorise(MENU_KEY, Operation.EDIT))
def reset(call: Call, body: TextChoice) -> None:
    """Remove the custom texts of a key: the shipped ones are read again."""
    service.reset(call, body.key)


@api.change(f"{_BASE}/reset/all", authorise(MENU_KEY, Operation.EDIT))
def reset_all(call: Call, body: TextReset) -> ResetResult:
    """Remove every custom text. Codes 40104 and 40105 speak of the captcha."""
    confirm_deletion(call, body)
    return ResetResult(removed=service.reset_all(call, body.until))


@api.read(f"{_BASE}/export", authorise(MENU_KEY, Operation.VIEW))
def export(call: Call, body: TextsExport) -> TextsFile:
    """Texts as a file for translators or another platform."""
    return transfer.export(call, custom_only=body.custom_only)


@api.read(f"{_BASE}/import/preview", authorise(MENU_KEY, Operation.EDIT))
def preview_import(call: Call, body: TextsFile) -> ImportPreview:
    """Effects of importing a file."""
    return transfer.preview(call, body)


@api.change(f"{_BASE}/import", authorise(MENU_KEY, Operation.EDIT))
def import_texts(call: Call, body: TextsImport) -> ImportResult:
    """Import texts; a file with a text that cannot be used changes nothing."""
    return transfer.take_over(call, body.file, replace=body.replace)
