"""The rules of Kaiser's War in the East at work."""
