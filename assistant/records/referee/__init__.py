"""A referee's files: positions, questions and exact answers with which any program can check itself."""
