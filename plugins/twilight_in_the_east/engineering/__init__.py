"""Works behind an army: railheads, new railways, pontoon bridges (17.1.2 to 17.7, 18.0)."""
