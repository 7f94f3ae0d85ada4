"""One pinned request, measured: the connection, the clock, the pace of starts, our own lag."""
