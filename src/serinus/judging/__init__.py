"""What every contract shares: its interface, the precedence of `formats.md` §1, how votes settle."""
