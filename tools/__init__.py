"""Tools of this repository, which are not installed. They know the assistant, and nothing that is installed knows them."""
