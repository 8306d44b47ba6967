"""The question `attacks`: the legal attacks of a side, ranked."""
