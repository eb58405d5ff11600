/** German: the first screen. */

export default {
  "home.title": "Wettlauf mit denselben Karten",
  "home.pair": "Zwei Karten, die zusammen 11 ergeben, gehen weg: 5 und 6, Ass und 10.",
  "home.triple": "Bube, Dame und König gehen zusammen. Die Farbe zählt nie.",
  "home.race": "Alle spielen dieselben Karten. Räume den Tisch als Erster ab, oder hole die meisten Punkte.",
  "home.note": "5 + 6 = 11 · B + D + K",
  "home.name": "Dein Name",
  "home.create": "Mit Freunden",
  "home.alone": "Allein spielen",
  "home.room": "Raum oder Link von Freunden",
  "home.join": "Beitreten",
  "home.watch": "Zuschauen",
  "home.tournament": "Ein Turnier leiten",
  "error.no_name": "Bitte gib zuerst einen Namen ein.",
  "error.no_room": "Bitte gib zuerst den Raum an: seinen Namen oder den Link, den du bekommen hast.",
  "error.no_room_id": "Ein Raum hat fünf Buchstaben und Ziffern. Bitte sieh noch einmal nach, oder füge den ganzen Link ein.",
  "home.someone_else": "Jemand anders an diesem Gerät",
  "error.look_alike": "Raumnamen haben nie {letters}. Bitte sieh noch einmal nach.",
  "home.record": "Ein Protokoll ansehen",
  "home.daily": "Die Karten des Tages",
  "home.me": "Deine Rennen",
};
