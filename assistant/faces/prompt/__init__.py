"""The table prompt: it stays open beside the paper map and answers short typed lines."""
