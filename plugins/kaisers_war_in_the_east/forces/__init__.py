"""Units as the rules see them: their values, their class, their place in stacks and armies."""
