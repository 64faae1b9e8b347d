"""Conditions, expressions and masks over the rows of a table, evaluated column by column."""
