"""Time series of figures: samples of ten seconds, and what they are rolled up to."""
