"""A release from the last commit: `make release`, see CONTRIBUTING.md."""
