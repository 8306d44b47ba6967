"""What follows when units enter hexes and leave others."""
