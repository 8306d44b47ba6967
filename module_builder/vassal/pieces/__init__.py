"""The counters and markers of a module: their traits, prototypes, statuses and slots."""
