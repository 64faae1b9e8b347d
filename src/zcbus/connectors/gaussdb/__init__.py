"""GaussDB and openGauss."""
