"""Contents of a policy: its tables and how they are replicated. Drafts, versions and files have this form."""

from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from zcbus.control.features.subscribe.etl_schemas import EtlRules
from zcbus.control.features.subscribe.schemas import MAX_TARGET_NAME_LENGTH
from zcbus.control.features.subscribe.transform_input import ColumnName, ExpressionText, NameRuleInput
from zcbus.control.features.sync_link.schemas import SourceTable, split_name
from zcbus.control.platform.faults import field_fault
from zcbus.control.platform.schema import Schema
from zcbus.model.states import CleanMode, DdlMode, LoadMode

MAX_TABLES = 10_000
TargetName = Annotated[str, Field(max_length=MAX_TARGET_NAME_LENGTH)]


class PolicyTable(Schema):
    """A published table of a policy. `source` may also be written as `schema.table`. `targetSchema`, `targetTable`:
    empty, by the policy's rules. `columns`: selection, by their names in the source; none: all. `where` is SQL over the
    source's columns, `targetWhere` over the target's. `ddl`: null, as the policy says."""

    model_config = ConfigDict(extra="forbid")

    source: Annotated[SourceTable, BeforeValidator(split_name)]
    target_schema: TargetName = ""
    target_table: TargetName = ""
    columns: list[ColumnName] = Field(default_factory=list, max_length=2_000)
    where: ExpressionText | None = None
    target_where: ExpressionText | None = None
    rules: EtlRules = Field(default_factory=list)
    ddl: DdlMode | None = None

    @property
    def name(self) -> str:
        """`schema.table`."""
        return f"{self.source.schema_name}.{self.source.table}"

    @model_validator(mode="after")
    def _check_columns(self) -> "PolicyTable":
        if len(set(self.columns)) < len(self.columns):
            raise field_fault("same-target-columns")
        return self


class PolicySettings(Schema):
    """Settings of all tables of a policy. `targetSchema`: the target schema of all; empty: by the customer's master.
    `tableNames`, `columnNames`: rules for names in the target; null: as the customer's master says."""

    model_config = ConfigDict(extra="forbid")

    load: LoadMode = LoadMode.BOTH
    clean: CleanMode = CleanMode.NONE
    ddl: DdlMode = DdlMode.STOP
    indexes: bool = True
    target_schema: TargetName = ""
    table_names: NameRuleInput | None = None
    column_names: NameRuleInput | None = None


SETTINGS: tuple[str, ...] = tuple(PolicySettings.model_fields)


class PolicyContents(PolicySettings):
    """A draft, or a version. Each table is named once."""

    tables: list[PolicyTable] = Field(default_factory=list, max_length=MAX_TABLES)

    @model_validator(mode="after")
    def _check_tables(self) -> "PolicyContents":
        if len({table.name for table in self.tables}) < len(self.tables):
            raise field_fault("table-twice")
        return self
