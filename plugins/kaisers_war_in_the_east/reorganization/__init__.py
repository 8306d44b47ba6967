"""Armies into corps, corps into armies, Headquarters to their stronger side."""
