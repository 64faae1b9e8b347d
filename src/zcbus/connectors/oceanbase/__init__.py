"""OceanBase, in its MySQL mode."""
