"""Combat: attackers and defenders, percentages, results, and the consequences up to pursuit."""
