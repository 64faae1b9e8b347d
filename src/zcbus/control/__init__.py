"""The control plane: what should run, what was reported, and who may ask. Composition is in `app.py`."""
