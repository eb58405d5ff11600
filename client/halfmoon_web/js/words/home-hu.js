/** Hungarian, in the words of the rules page: the first screen. */

export default {
  "home.title": "Verseny ugyanazzal a leosztással",
  "home.pair": "Pár: két lap, amelyek összege 11. Például 5 és 6, ász és 10.",
  "home.triple": "Hármas: egy bubi, egy dáma és egy király. A szín nem számít.",
  "home.race": "Mindenki ugyanazokkal a lapokkal játszik. Az nyer, aki előbb üríti ki az asztalt, vagy több pontot gyűjt.",
  "home.note": "5 + 6 = 11 · V + D + R",
  "home.name": "Az Ön neve",
  "home.create": "Verseny barátokkal",
  "home.alone": "Egyedül játszom",
  "home.room": "Szoba vagy egy baráttól kapott hivatkozás",
  "home.join": "Belépés",
  "home.watch": "Nézem",
  "home.tournament": "Verseny rendezése",
  "error.no_name": "Kérem, először adjon meg egy nevet.",
  "error.no_room": "Kérem, először adja meg a szobát: a jelét vagy a baráttól kapott hivatkozást.",
  "error.no_room_id": "A szoba jele öt betű és számjegy. Kérem, nézze meg újra, vagy illessze be a teljes hivatkozást.",
  "home.someone_else": "Más játszik ezen az eszközön",
  "error.look_alike": "A szoba jelében nincs {letters}. Kérem, nézze meg újra.",
  "home.record": "Jegyzőkönyv megnyitása",
  "home.daily": "A nap leosztása",
  "home.me": "Saját versenyek",
};
