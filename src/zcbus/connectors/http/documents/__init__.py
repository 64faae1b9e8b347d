"""Ready-made documents of well-known services, written from their public API documentation and not tested against them:
the console calls them previews."""

from functools import lru_cache
from importlib.resources import files

from zcbus.connectors.shipped import ShippedDocument

_SERVICES = (
    # name of the file, label, address, parameters
    ("github", "GitHub", "https://api.github.com", "owner=, repo="),
    ("gitlab", "GitLab", "https://gitlab.com", "project="),
    ("jira", "Jira Cloud", "", "project="),
    ("hubspot", "HubSpot", "https://api.hubapi.com", ""),
    ("stripe", "Stripe", "https://api.stripe.com", ""),
    ("shopify", "Shopify", "", ""),
    ("salesforce", "Salesforce", "", ""),
    ("feishu", "飞书多维表格 (Feishu Bitable)", "https://open.feishu.cn", "app=, table="),
    ("webhook", "Webhook", "", ""),
    ("rows", "REST: PUT, PATCH, DELETE", "", ""),
)


@lru_cache(maxsize=1)
def shipped() -> tuple[ShippedDocument, ...]:
    """All ready-made documents, in the order of the form."""
    folder = files(__name__)
    return tuple(
        ShippedDocument(
            name,
            label,
            {
                "definition": folder.joinpath(f"{name}.yaml").read_text("utf-8"),
                **({"url": address} if address else {}),
                "parameters": parameters,
            },
        )
        for name, label, address, parameters in _SERVICES
    )
