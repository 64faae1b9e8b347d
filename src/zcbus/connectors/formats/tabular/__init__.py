"""Files that people bring as data for a table: read record by record, a malformed record is one fault.

The functions `sample`, `excerpt` and `convert` run in a child process with limits (kit.confined): the files are
untrusted.
"""

from zcbus.connectors.formats.tabular.conversion import Converted, Wanted, convert
from zcbus.connectors.formats.tabular.excerpt import Excerpt, excerpt
from zcbus.connectors.formats.tabular.records import FORMS, Fault, FileForm
from zcbus.connectors.formats.tabular.sample import Sample, SampleColumn, sample

__all__ = [
    "FORMS",
    "Converted",
    "Excerpt",
    "Fault",
    "FileForm",
    "Sample",
    "SampleColumn",
    "Wanted",
    "convert",
    "excerpt",
    "sample",
]
