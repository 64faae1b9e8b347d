"""The data service: answers callers over HTTP with the rows of published queries."""
