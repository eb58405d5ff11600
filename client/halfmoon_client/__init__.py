"""The clients in Python: a seat at a race, and who may sit on it."""
