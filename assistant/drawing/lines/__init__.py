"""Pictures of many lines at once: who is reached from where, with what status, how far sources reach and what breaks
the lines.
"""
