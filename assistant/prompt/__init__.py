"""The table prompt: it stays open beside the paper map and answers what is typed in few keys."""
