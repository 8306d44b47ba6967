"""What a log tells: its battles, checks and judgements of supply, explained from its own dice and moves."""
