"""Benchmarks: each figure beside a peer or a limit measured in the same run on the same machine.

`python -m bench [SUITE …]`, or `make bench`. Every figure is the median of BENCH_ROUNDS rounds (3); ours and the peers'
alternate, so that a slow moment of the machine meets all of them. BENCH_ROWS (default 400000) sets the sizes.
"""
