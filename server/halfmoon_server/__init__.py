"""The server: rooms, their logs, and the connections to them."""
