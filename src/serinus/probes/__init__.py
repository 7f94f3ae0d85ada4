"""What routes are asked: synthetic prompts in every language, and the requests made of them."""
