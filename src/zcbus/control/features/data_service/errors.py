"""Errors of data services."""

from zcbus.control.platform.errors import BusinessError


class DataServiceNameTakenError(BusinessError):
    """Facts: name."""

    code = "data-service-name-taken"
    field = "name"


class DataServiceInUseError(BusinessError):
    """It has API groups, or its service is not stopped. Facts: name, groups."""

    code = "data-service-in-use"


class DataServiceRefusedError(BusinessError):
    """The ordered action of its service is not possible now. Facts: detail."""

    code = "data-service-refused"


class GroupPrefixTakenError(BusinessError):
    """Facts: prefix."""

    code = "api-group-prefix-taken"
    field = "prefix"


class GroupInUseError(BusinessError):
    """It has APIs. Facts: name, apis."""

    code = "api-group-in-use"


class ApiPathTakenError(BusinessError):
    """Facts: path."""

    code = "api-path-taken"
    field = "path"


class StatementRefusedError(BusinessError):
    """The statement is no single query that reads. Facts: why, near."""

    code = "api-statement-refused"
    field = "statement"


class ParameterTwiceError(BusinessError):
    """Facts: name."""

    code = "api-parameter-twice"
    field = "parameters"


class ParameterNotDeclaredError(BusinessError):
    """Facts: name."""

    code = "api-parameter-not-declared"
    field = "parameters"


class ParameterNotUsedError(BusinessError):
    """Facts: name."""

    code = "api-parameter-not-used"
    field = "parameters"


class DefaultRefusedError(BusinessError):
    """Facts: name, expected."""

    code = "api-parameter-default-refused"
    field = "parameters"


class ApiPublishedError(BusinessError):
    """The API is published: take it offline first. Facts: name."""

    code = "api-published"


class ApiOfflineError(BusinessError):
    """Facts: name."""

    code = "api-offline"


class AppNameTakenError(BusinessError):
    """Facts: name."""

    code = "api-app-name-taken"
    field = "name"
