"""Errors of the documentation."""

from zcbus.control.platform.errors import BusinessError


class DocumentsMissingError(BusinessError):
    """Neither the package nor the checkout holds the documentation."""

    code = "documents-missing"


class DocumentUnknownError(BusinessError):
    """Facts: name."""

    code = "document-unknown"
    field = "name"


class ArticleChangedError(BusinessError):
    """Another author has changed the article meanwhile. Facts: name."""

    code = "article-changed"


class ArticleEmptyError(BusinessError):
    """Neither language has a text."""

    code = "article-empty"
    field = "zh"


class ArticlesFullError(BusinessError):
    """The tenant has too many articles. Facts: most."""

    code = "articles-full"


class ArticleVersionsFullError(BusinessError):
    """The article has too many versions. Facts: name, most."""

    code = "article-versions-full"


class ArticleShippedError(BusinessError):
    """A shipped page has its place in the documentation. Facts: name."""

    code = "article-shipped"
    field = "name"
