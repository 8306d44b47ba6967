"""How fast it is, beside its peers: `make bench` measures everything and writes docs/maintaining/performance.md."""
