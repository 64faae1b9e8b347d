"""The control plane: desired state, reported state, and access to both. Composition is in `app.py`."""
