"""Expressions that modules write into their traits, worked out where they are simple; nothing of them is run."""
