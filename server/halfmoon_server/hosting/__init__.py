"""What runs rooms: time, one host a room, and the directory of all of them."""
