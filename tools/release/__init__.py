"""A release from the last commit: `make release`, see docs/maintaining/house.md."""
