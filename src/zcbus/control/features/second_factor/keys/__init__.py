"""Security keys and passkeys (WebAuthn) as second factors: their registration, their use, their store."""
