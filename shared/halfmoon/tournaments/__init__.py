"""What a tournament's results come to: tables, brackets and result files, for whoever computes them."""
