"""The command line of `kg`."""
