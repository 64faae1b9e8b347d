"""Files that people bring as data for a table: read record by record, a malformed record is one fault.

The functions `sample` and `convert` run in a child process with limits (kit.confined): the files are untrusted.
"""

from zcbus.connectors.formats.tabular.conversion import Converted, Wanted, convert
from zcbus.connectors.formats.tabular.records import FORMS, Fault, FileForm
from zcbus.connectors.formats.tabular.sample import Sample, SampleColumn, sample

__all__ = ["FORMS", "Converted", "Fault", "FileForm", "Sample", "SampleColumn", "Wanted", "convert", "sample"]
