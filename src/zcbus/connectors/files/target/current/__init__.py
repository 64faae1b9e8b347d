"""Tables as their current rows: files that each commit replaces where it has changed rows of theirs."""
