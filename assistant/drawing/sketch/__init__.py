"""Pictures of answers: a sketch as a scene and as a map in letters, which show the same."""
