"""What a log tells: its battles, checks and judgements of supply, explained from its own dice and moves; and what two
saves of any module tell of the time between them.
"""
