"""Phases played by chance, written down as a table shows them, and reviewed: nobody is accused falsely, and faults are found."""
