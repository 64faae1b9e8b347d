"""Benchmarks: each figure beside a peer or a limit measured in the same run on the same machine.

`python -m bench [SUITE …]`, or `make bench`; suites: bus, control, console, comparison, full-load, loaders, capture,
apply, backlog, latency, recovery, memory. Every figure is the median of BENCH_ROUNDS rounds (3); ours and the peers'
alternate, so that a slow moment of the machine meets all of them. BENCH_ROWS (default 400000) sets the sizes, of full
loads five times as much; BENCH_LATENCY_SECONDS (20) how long each rate is kept up; BENCH_KILLS (20) how often each part
is killed. Other people's programs that need Python are installed from bench/peers.txt into bench/results/peers when
they are first needed; without network or Java their cases are left out, and that is said.
"""
