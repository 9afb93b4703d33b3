"""The slip: a hand written down by tapping, and back to a hand record."""
