"""SAML 2.0 of a service provider: the identity provider's metadata, signed requests, responses that prove a user.

Sources: OASIS saml-core-2.0-os, saml-bindings-2.0-os, saml-profiles-2.0-os (4.1), saml-metadata-2.0-os.
"""
