"""Tests of published modules that a player adopts."""
