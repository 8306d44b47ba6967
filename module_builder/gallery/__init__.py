"""Pictures of what there is to choose from: all symbols with their words, the colours of nations."""
