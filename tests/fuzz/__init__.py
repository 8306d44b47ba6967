"""Inputs found by which code they reach: small sound ones, what spoils them, what meets them, and a run of many."""
