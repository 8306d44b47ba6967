"""A record of play reviewed: each step lawful, against a rule, undecided, or not a matter of rules."""
