"""Pictures of answers: a sketch as a scene and as a map in letters, with the same content."""
