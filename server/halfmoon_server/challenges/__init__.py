"""Challenges and the day's deal: races on one deal that people start when they like."""
