"""A served table that sides share, on disks that fail and across new starts: nothing that was acknowledged is lost."""
