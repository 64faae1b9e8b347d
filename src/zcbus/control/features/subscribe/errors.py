"""Errors of subscriptions; the codes are the specification's."""

from zcbus.control.platform.errors import BusinessError


class MasterLimitError(BusinessError):
    """Facts: limit."""

    code = "master-limit"
    wire_code = 60100
    field = "nodeMaster"


class ChannelNameTakenError(BusinessError):
    """Facts: name."""

    code = "channel-name-taken"
    wire_code = 60101
    field = "name"


class CustomerNameTakenError(BusinessError):
    """Facts: name."""

    code = "customer-name-taken"
    field = "name"


class CustomerHasMastersError(BusinessError):
    """Facts: name, masters."""

    code = "customer-has-masters"


class SubscriberOfLinkError(BusinessError):
    """A sync link steers it. Facts: link."""

    code = "subscriber-of-link"


class DatabaseNameTakenError(BusinessError):
    """Facts: name."""

    code = "database-name-taken"
    field = "name"


class DatabaseUsedError(BusinessError):
    """Masters write to the database, or it is its customer's first. Facts: name, masters."""

    code = "database-used"


class DatabasePlaceFixedError(BusinessError):
    """Positions are kept in the database: it cannot be replaced by another one. Facts: option."""

    code = "database-place-fixed"


class DatabaseOfAnotherError(BusinessError):
    """Facts: name, customer."""

    code = "database-of-another"
    field = "databaseId"


class MasterNameTakenError(BusinessError):
    """Facts: name."""

    code = "master-name-taken"
    field = "name"


class ChannelActionRefusedError(BusinessError):
    """Facts: name, action, state."""

    code = "channel-action-refused"


class TargetNameLengthError(BusinessError):
    """Facts: name, limit."""

    code = "target-name-length"


class MasterSchemaLengthError(TargetNameLengthError):
    """Of the schema that a master's tables go to. Facts: as TargetNameLengthError, as of those below."""

    field = "schema"


class TargetSchemaLengthError(TargetNameLengthError):
    """Of a table's target schema."""

    field = "targetSchema"


class TargetTableLengthError(TargetNameLengthError):
    """Of a target table."""

    field = "targetTable"


class TargetTakenError(BusinessError):
    """Another table is replicated there already. Facts: target."""

    code = "target-taken"
    field = "targetTable"


class TableNeedsLoadError(BusinessError):
    """Another target or key needs the rows, and the load mode loads none. Facts: table."""

    code = "table-needs-load"
    field = "load"


class SettingsRefusedError(BusinessError):
    """The pre-check found an error. Facts: table, first (its text)."""

    code = "settings-refused"


class EtlRuleRefusedError(SettingsRefusedError):
    """With this rule the pre-check finds an error. Facts: as SettingsRefusedError."""

    field = "rule.expression"


class TablesWithoutRulesError(BusinessError):
    """A process takes no table without a transformation. Facts: tables."""

    code = "tables-without-rules"


class EtlRuleTakenError(BusinessError):
    """A column has one rule at most. Facts: column."""

    code = "etl-rule-taken"
    field = "rule.column"


class TablesOfSeveralNodesError(BusinessError):
    """A position among changes belongs to a single publish node. No facts."""

    code = "tables-of-several-nodes"


class MastersImpossibleError(BusinessError):
    """Nothing is subscribed by a customer of this type. Facts: name."""

    code = "masters-impossible"
    field = "customerId"
