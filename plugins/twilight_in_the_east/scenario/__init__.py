"""The scenarios of the Scenario Booklet, which their owner types (29)."""
