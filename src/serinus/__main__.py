"""`python -m serinus`: the command line without the script."""

from serinus.cli import main

main()
