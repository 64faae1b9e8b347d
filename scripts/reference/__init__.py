"""Reference pages of the documentation, made from the code. `make_reference.py` writes them."""
