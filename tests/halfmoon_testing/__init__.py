"""What the tests say things with."""
