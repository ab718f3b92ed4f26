import { afterEach, beforeEach, expect, it, test } from "vitest";
import { AREAS } from "../../../../src/sandbox/areas.ts";
import { users } from "../../../../src/sandbox/model/accounts.ts";
import { jsonParts } from "../../../../src/sandbox/kernel/world/sandbox-world.ts";
import { restoreFromJson } from "../../../../src/sandbox/kernel/world/restore-from-json.ts";
import { Platform } from "../../../../src/sandbox/kernel/platform.ts";

let platform: Platform;
beforeEach(() => {
  platform = new Platform({
    areas: AREAS,
    seed: "s",
    machine: () => Date.UTC(2026, 0, 1),
    highWaterMark: "0",
    storeHighWaterMark: () => undefined,
  });
});
afterEach(() => platform.time.close());

const alice = {
  id: "1",
  username: "alice",
  name: 'Älice "quoted"',
  password: "p",
  email: "",
  createdAt: 1,
  profile: { entities: { tables: { users: [1] } } },
};

it("restores the state from its text in parts", async () => {
  users.in(platform.world).put(alice);
  const text = [...jsonParts(platform.save())].join("");
  expect(JSON.parse(text)).toEqual(platform.save());
  platform.reset();

  await restoreFromJson(Buffer.from(text), platform.beginRestore());

  expect(JSON.parse([...jsonParts(platform.save())].join(""))).toEqual(JSON.parse(text));
});

it("takes the parts of a world in any order", async () => {
  const { tables: _, ...header } = JSON.parse([...jsonParts(platform.save())].join(""));
  const text = JSON.stringify({ tables: { posts: [], users: [alice] }, ...header });

  await restoreFromJson(Buffer.from(text), platform.beginRestore());

  expect(users.in(platform.world).get("1")).toEqual(alice);
});

test.each([
  { text: "{", says: "not valid JSON", why: "it ends too early" },
  { text: "[1,", says: "not valid JSON", why: "it is no object" },
  { text: "{}", says: "version: ", why: "the header is missing" },
  { text: '{"tables":{"users":[{}]}}', says: "users[0].id: ", why: "a row does not fit" },
  { text: '{"tables":{"x":[]}}', says: "tables.x: ", why: "there is no such table" },
])("is refused when $why, and nothing changes", async ({ text, says }) => {
  users.in(platform.world).put(alice);

  await expect(restoreFromJson(Buffer.from(text), platform.beginRestore())).rejects.toThrow(says);

  expect(users.in(platform.world).size).toBe(1);
});
