"""What travels between client and server (Contract §5): commands, messages, errors, their text."""
