"""Import of a connection's document."""

from dataclasses import asdict

from zcbus.engine.connections import Connectors
from zcbus.protocol.document_import import ImportDocument, ImportedDocument


def import_document(request: ImportDocument, connectors: Connectors) -> ImportedDocument:
    """Raises what DocumentImporter.read raises."""
    importer = connectors(request.kind).document_importer()
    found = importer.read(request.text, request.address, request.selected)
    return ImportedDocument.model_validate(asdict(found))
