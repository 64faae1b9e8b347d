"""Errors of sync links."""

from zcbus.control.platform.errors import BusinessError


class LinkNameTakenError(BusinessError):
    """Facts: name."""

    code = "link-name-taken"


class LinkNameAmbiguousError(BusinessError):
    """Several other tenants have a link of that name. Facts: name."""

    code = "link-name-ambiguous"


class LinkPlaceFixedError(BusinessError):
    """A link keeps its databases: positions of another one mean nothing. Facts: side, option."""

    code = "link-place-fixed"


class LinkContainerFixedError(BusinessError):
    """The bus of a link is in its container. Facts: container."""

    code = "link-container-fixed"


class LinkHasNoTablesError(BusinessError):
    """The patterns mean no table."""

    code = "link-has-no-tables"


class LinkTablesMissingError(BusinessError):
    """Tables named in the document are not in the source. Facts: tables."""

    code = "link-tables-missing"


class TargetTwiceError(BusinessError):
    """Two tables would go to one. Facts: target, sources."""

    code = "link-target-twice"


class PrecheckFailedError(BusinessError):
    """The pre-check found errors. Facts: errors (their number), first (the first one's text), findings."""

    code = "precheck-failed"


class LinkChangedMeanwhileError(BusinessError):
    """Another user changed the link at the same time. Facts: name."""

    code = "link-changed-meanwhile"


class LinkActionRefusedError(BusinessError):
    """The link's state does not allow the action. Facts: name, action, state."""

    code = "link-action-refused"


class LinkServiceRemovedError(BusinessError):
    """A service of the link was taken out of its container. Facts: name."""

    code = "link-service-removed"


class LinkTableUnknownError(BusinessError):
    """The link has no such tables. Facts: name, tables."""

    code = "link-table-unknown"
