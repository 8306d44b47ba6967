"""Commands on published modules and on saves of them."""
