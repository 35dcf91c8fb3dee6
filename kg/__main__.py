"""``python -m kg``."""

from .cli.app import main

main()
