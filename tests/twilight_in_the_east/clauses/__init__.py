"""Rules clause by clause: each test fails if a single clause of its rule is wrong."""
