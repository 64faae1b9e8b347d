"""HTTP and REST interfaces as sources: what is asked and how answers are read is declared in a document."""
