"""Where rooms keep what happened: the log as an interface, and its implementations."""
