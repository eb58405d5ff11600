"""Half Moon: the engine of the game and the wire that it is told over."""
