"""One position and one question, asked in each way that there is: the answers must be the same."""
