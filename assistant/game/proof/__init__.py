"""The proof sheet of a game: each clause of its rules as the code has it, for a reader with the rulebook who does not
program: what it says, when, and how each fact in it is read.

`sources` finds what names stand for, `wording` says code in words, `clauses` reads the clauses of functions, `examples`
has a worked case of each rule that is computed, and `sheet` writes all this.
"""
