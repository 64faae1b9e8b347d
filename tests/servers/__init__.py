"""Real database servers, started privately by the tests on free ports in temporary folders."""
