"""Tests of the expressions that modules write into their traits."""
