"""What an operator does with a data folder: check it, make its indexes anew, copy it, let old rooms go."""
