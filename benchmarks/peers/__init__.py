"""Scripts that run in the environments of the peers, and know nothing of this project."""
