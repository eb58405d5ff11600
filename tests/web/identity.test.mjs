import assert from "node:assert/strict";
import { test } from "node:test";

import { IdentityStore } from "../../client/halfmoon_web/js/identity.js";

/** What a browser keeps, as a plain object. */
function storage() {
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  };
}

test("who plays here is known to other tabs and after a reload", () => {
  const browser = storage();
  new IdentityStore(browser, storage()).keep({ name: "Kata", token: "secret" });
  assert.deepEqual(new IdentityStore(browser, storage()).identity, { name: "Kata", token: "secret" });
});

test("somebody else at this device is known to this tab alone, also after a reload of it", () => {
  const [browser, tab] = [storage(), storage()];
  const first = new IdentityStore(browser, tab);
  first.keep({ name: "Kata", token: "secret" });
  first.sit({ room: "H4K7P", as: "player" });
  first.startAnew();
  assert.deepEqual(first.identity, {});
  assert.equal(first.seat, null);
  first.keep({ name: "Orsi", token: "other" });
  first.sit({ room: "H4K7P", as: "player" });

  assert.equal(new IdentityStore(browser, tab).identity.name, "Orsi");
  assert.equal(new IdentityStore(browser, tab).seat?.room, "H4K7P");
  assert.equal(new IdentityStore(browser, storage()).identity.name, "Kata");
});

test("two tabs in which somebody plays for the first time are one player", () => {
  const browser = storage();
  const [first, second, late] = [1, 2, 3].map(() => new IdentityStore(browser, storage()));
  for (const one of [first, second]) one.keep({ name: "Kata" });
  assert.ok(first.becomes("Kata", "secret"));
  assert.ok(!second.becomes("Kata", "another"), "it has to say hello again");
  assert.equal(second.identity.token, "secret");
  assert.ok(second.becomes("Kata", "secret"));
  late.keep({ name: "Katalin" });
  assert.equal(late.identity.token, "secret");
  assert.equal(new IdentityStore(browser, storage()).identity.token, "secret");
});

test("a token that the server doesn't know takes no other tab's with it", () => {
  const browser = storage();
  browser.setItem("halfmoon.identity", JSON.stringify({ name: "Kata", token: "old" }));
  const [first, second] = [new IdentityStore(browser), new IdentityStore(browser)];
  first.disown();
  first.becomes("Kata", "new");
  second.disown();
  assert.equal(new IdentityStore(browser).identity.token, "new");
});

test("a browser that keeps nothing still plays", () => {
  const store = new IdentityStore(null, null);
  store.keep({ name: "Kata" });
  store.startAnew();
  assert.deepEqual(store.identity, {});
  const broken = { getItem: () => "{", setItem: () => assert.fail("no"), removeItem: () => undefined };
  assert.deepEqual(new IdentityStore(broken, null).identity, {});
});
