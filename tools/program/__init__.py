"""The program for machines without Python, a folder that PyInstaller makes: `make program` (docs/maintaining/program.md)."""
