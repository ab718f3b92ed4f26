import { expect, it } from "vitest";
import { storeErrorOf } from "../../src/runtime/store/postgres/faults.ts";
import { messageOf } from "../../src/system/error-message.ts";

/** Error of Node when a host has two addresses, and both refuse the connection. */
const refused = Object.assign(
  new AggregateError([
    new Error("connect ECONNREFUSED ::1:5432"),
    new Error("connect ECONNREFUSED 127.0.0.1:5432"),
  ]),
  { code: "ECONNREFUSED" },
);
const both = "connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432";

it.each([
  { thrown: new Error("no such table"), text: "no such table" },
  { thrown: "a text", text: "a text" },
  { thrown: refused, text: both },
  { thrown: new AggregateError([refused], "all failed"), text: "all failed" },
])("the message of a thrown value is $text", ({ thrown, text }) => {
  expect(messageOf(thrown)).toBe(text);
});

it("a database that refuses the connection at two addresses is reported with both", () => {
  expect(storeErrorOf(refused)).toMatchObject({ message: expect.stringContaining(both) });
});
