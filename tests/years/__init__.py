"""Whole histories of a table: a seed drives its seats, the prompt, failures and new starts, without sockets or threads."""
