"""How much of real saves and logs is read and kept: `python -m tests.scorecard FOLDER`."""
