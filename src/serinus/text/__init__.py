"""Pure text analysis that judges share: scripts, language model, mojibake, n-grams."""
