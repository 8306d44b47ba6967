"""The table prompt, which stays open beside the paper map and answers short typed lines."""
