"""OpenAPI 3 descriptions as documents of HTTP interfaces. Order of work: text, description, operations, document."""
