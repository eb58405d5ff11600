import assert from "node:assert/strict";
import { test } from "node:test";

import { isLoopback, placeOf } from "../../client/halfmoon_web/js/address.js";

const HERE = { origin: "http://localhost:8080", hostname: "localhost" };
const says = (answer) => async () => ({ json: async () => answer });

test("names of this device alone", () => {
  for (const name of ["localhost", "moon.localhost", "127.0.0.1", "127.1.2.3", "[::1]", "0.0.0.0", "[::]"]) assert.ok(isLoopback(name), name);
  for (const name of ["192.168.1.5", "moon.example", "localhost.example", "[fe80::1]"]) assert.equal(isLoopback(name), false, name);
});

test("a page with an address of its own keeps it, and asks nobody", async () => {
  const here = { origin: "https://moon.example", hostname: "moon.example" };
  assert.deepEqual(await placeOf(here, () => assert.fail("asked")), { origin: here.origin, isLocal: false });
});

test("opened on this device, the link is the one that others can open", async () => {
  const found = await placeOf(HERE, says({ origin: "http://192.168.1.5:8080", reach: "network" }));
  assert.deepEqual(found, { origin: "http://192.168.1.5:8080", isLocal: false });
});

test("where only this device can open it, that is known; so it is where the server says nothing of use", async () => {
  assert.equal((await placeOf(HERE, says({ origin: HERE.origin, reach: "device" }))).isLocal, true);
  for (const odd of [{ origin: "javascript:alert(1)", reach: "network" }, { origin: 5 }, null]) {
    assert.deepEqual(await placeOf(HERE, says(odd)), { origin: HERE.origin, isLocal: true });
  }
  assert.equal((await placeOf(HERE, () => Promise.reject(new Error("down")))).isLocal, true);
});
