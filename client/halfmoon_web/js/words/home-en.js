/** English: the first screen. */

export default {
  "home.title": "Race friends on the same deal",
  "home.pair": "Two cards that add up to 11 go: 5 and 6, ace and 10.",
  "home.triple": "Jack, queen and king go together. Suits never matter.",
  "home.race": "Everybody plays the same cards. Clear the table first, or score the most.",
  "home.note": "5 + 6 = 11 · J + Q + K",
  "home.name": "Your name",
  "home.create": "Race friends",
  "home.alone": "Play alone",
  "home.room": "Room or link from a friend",
  "home.join": "Join",
  "home.watch": "Watch",
  "home.tournament": "Run a tournament",
  "error.no_name": "Please give a name first.",
  "error.no_room": "Please give the room first: its name, or the link that a friend sent.",
  "error.no_room_id": "A room has five letters and digits. Please look at it again, or paste the whole link.",
  "home.someone_else": "Someone else at this device",
  "error.look_alike": "Room names have no {letters}. Please look at it again.",
  "home.record": "Look at a record",
  "home.daily": "Deal of the day",
  "home.me": "Your races",
};
