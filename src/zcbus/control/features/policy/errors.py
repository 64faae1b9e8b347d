"""Errors of policies."""

from zcbus.control.platform.errors import BusinessError


class PolicyNameTakenError(BusinessError):
    """Facts: name."""

    code = "policy-name-taken"
    field = "productName"


class PolicyInUseError(BusinessError):
    """Customers have it. Facts: name, customers."""

    code = "policy-in-use"


class PolicyEmptyError(BusinessError):
    """There is no table in it. Facts: name."""

    code = "policy-empty"


class PolicyUnchangedError(BusinessError):
    """The draft is the same as the newest version. Facts: name, version."""

    code = "policy-unchanged"


class PolicyNodeGoneError(BusinessError):
    """Its publish node was deleted. Facts: name."""

    code = "policy-node-gone"


class PolicyTablesUnknownError(BusinessError):
    """Its node does not publish them, or the draft has them not. Facts: tables."""

    code = "policy-tables-unknown"
    field = "tables"


class DocumentNodeError(BusinessError):
    """A document names another publish node than the policy's, which cannot change. Facts: name, node, given."""

    code = "policy-document-node"


class VersionRetiredError(BusinessError):
    """Facts: name, version."""

    code = "policy-version-retired"
    field = "version"


class DeliveryRefusedError(BusinessError):
    """The pre-check of a customer found errors. Facts: errors, first (the text of the first)."""

    code = "policy-delivery-refused"


class MasterOfAnotherNodeError(BusinessError):
    """The master applies another node's tables than the policy's. Facts: master, node."""

    code = "policy-master-of-another-node"
    field = "targets"


class DeliveredElsewhereError(BusinessError):
    """Another master of the customer has the policy. Facts: customer, master."""

    code = "policy-delivered-elsewhere"
    field = "targets"


class NothingToRollBackError(BusinessError):
    """The customer has had no version before. Facts: customer."""

    code = "policy-nothing-to-roll-back"


class DeliveryOvertakenError(BusinessError):
    """The master's tables changed between pre-check and delivery. Facts: master."""

    code = "policy-delivery-overtaken"


class WaveStoppedError(BusinessError):
    """A wave is not begun: one before it did not come to what it was to be. Facts: wave, before."""

    code = "policy-wave-stopped"
