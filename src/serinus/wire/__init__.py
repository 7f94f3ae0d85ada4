"""From bytes to an answer, purely: the stream reader and the lenient reading of chat completions."""
