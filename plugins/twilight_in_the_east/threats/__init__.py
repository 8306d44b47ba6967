"""Threats: what the other side can do next."""
