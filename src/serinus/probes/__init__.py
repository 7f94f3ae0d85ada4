"""What routes are asked: synthetic, mild prompts, written natively in each language (R2, R7, R10).

`roleplay.ask`, `structured.ask` and `tool_call.ask` turn a `Turn` into a `Probe`, purely: the same
turn always asks the same question. Everything that a language needs is one file in `data/`.
"""
