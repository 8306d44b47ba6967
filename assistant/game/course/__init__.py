"""The course of play: game turns with their dates, season, weather and events, the sequence of play, armies and record
tracks.
"""
