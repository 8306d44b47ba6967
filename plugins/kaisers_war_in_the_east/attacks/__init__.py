"""The attacks that a side can make: ranked by hex, and the cheapest that reaches a column."""
