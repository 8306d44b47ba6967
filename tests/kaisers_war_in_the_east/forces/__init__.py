"""Forces at work."""
