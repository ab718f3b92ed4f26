import { describe, expect, it } from "vitest";
import type { Action } from "../../src/actions/actions.ts";
import { collectActions } from "../../src/bots/action-collector.ts";
import type { FromThread, Handling } from "../../src/bots/messages.ts";
import { messageReceived } from "../support/events.ts";

const handling: Handling = {
  bot: "greeter",
  triggers: ["dm.received"],
  event: messageReceived(),
  account: { id: "100", username: "hello_bot" },
  now: 0,
  replayed: false,
  answered: false,
};
function collecting() {
  const posted: FromThread[] = [];
  const collector = collectActions(handling, new AbortController().signal, (message) =>
    posted.push(message),
  );
  /** Calls `log` as untyped code does, with any values. */
  const logAny = (...args: readonly unknown[]): void =>
    void Reflect.apply(collector.log.bind(collector), undefined, args);
  return { collector, posted, logAny };
}
const like = { type: "like", postId: "1", to: "200" } as const;

describe("the requests of a handler", () => {
  it("stay in order", () => {
    const { collector } = collecting();
    collector.act(like);
    collector.act({ type: "reply_dm", to: "200", text: "hi" });

    expect(collector.actions.map(({ type }) => type)).toEqual(["like", "reply_dm"]);
  });

  it("are refused if they are not actions, with the mistake", () => {
    const { collector } = collecting();

    expect(() => collector.act(JSON.parse('{"type":"like","to":"200"}'))).toThrow(/postId/);
    expect(() => collector.act(JSON.parse('{"type":"dance"}'))).toThrow(/"dance" is not an action/);
    expect(collector.actions).toEqual([]);
  });

  it("may have optional fields that are undefined", () => {
    const { collector } = collecting();
    const undefinedMedia: object = { media: undefined };
    collector.act({ type: "create_post", to: "100", text: "hi", ...undefinedMedia });

    expect(collector.actions).toEqual([{ type: "create_post", to: "100", text: "hi" }]);
  });

  it.each<Action>([
    { type: "create_post", to: "100", text: " " },
    { type: "reply_post", inReplyTo: "7", to: "200", text: "  \n" },
    { type: "quote", postId: "7", to: "200", text: "\t" },
  ])("are refused if they publish white space: $type", (action) => {
    const { collector } = collecting();

    expect(() => collector.act(action)).toThrow(/a post takes a text, media or a poll/);
    expect(collector.actions).toEqual([]);
  });

  it.each<Action>([
    { type: "create_post", to: "100", text: " ", media: "/srv/map.png" },
    {
      type: "reply_post",
      inReplyTo: "7",
      to: "200",
      text: " ",
      poll: { options: ["a", "b"], durationMinutes: 60 },
    },
    { type: "reply_dm", to: "200", text: " " },
  ])("may have a text of white space beside something else, or in a message: $type", (action) => {
    const { collector } = collecting();
    collector.act(action);

    expect(collector.actions).toHaveLength(1);
  });

  it("are limited to 100 actions", () => {
    const { collector } = collecting();
    for (let n = 0; n < 100; n++) collector.act(like);

    expect(() => collector.act(like)).toThrow(/100 actions at most/);
    expect(collector.actions).toHaveLength(100);
  });
});

describe("the log lines of a handler", () => {
  it("name the bot and the event", () => {
    const { collector, posted } = collecting();
    collector.log("seen", { n: 1 });

    expect(posted).toEqual([
      {
        type: "log",
        level: "info",
        bot: "greeter",
        key: "message:5001",
        message: "seen",
        fields: { n: 1 },
      },
    ]);
  });

  it("are cut off after 100 lines, with one message about it", () => {
    const { collector, posted } = collecting();
    for (let n = 0; n < 150; n++) collector.log(`line ${n}`);

    expect(posted).toHaveLength(101);
    expect(posted.at(-1)).toMatchObject({
      message: expect.stringContaining("the rest is dropped"),
    });
  });

  it("do not fail the handler if they can't be written", () => {
    const { collector, posted } = collecting();
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    collector.log("seen", circle);
    collector.log(JSON.parse("7"));

    expect(posted).toMatchObject([
      { fields: { unloggable: expect.stringMatching(/circular/i) } },
      { message: "7" },
    ]);
  });

  it("have the message of an error, and numbers that JSON can't represent", () => {
    const { collector, posted } = collecting();
    const error = new RangeError("no such table", { cause: new Error("the line is dead") });
    collector.log("failed", { error, all: [error], big: 10n, id: "7" });

    const text = "RangeError: no such table (because of Error: the line is dead)";
    expect(posted).toMatchObject([{ fields: { error: text, all: [text], big: "10", id: "7" } }]);
  });

  it("have the message and the place of an error that is passed as the fields", () => {
    const { logAny, posted } = collecting();
    const error = Object.assign(new RangeError("no such table"), {
      stack: "RangeError: no such table\n    at f (/my bots/dice.ts:5:6)",
    });
    logAny("failed", error);

    const fields = { error: "RangeError: no such table", place: "/my bots/dice.ts:5:6" };
    expect(posted).toMatchObject([{ message: "failed", fields }]);
  });

  it.each([
    { fields: ["a"], value: ["a"], why: "a list" },
    { fields: "a", value: "a", why: "a text" },
    { fields: new Date(0), value: "1970-01-01T00:00:00.000Z", why: "a time" },
    { fields: Math.max, value: "[Function: max]", why: "a function" },
  ])("have a value that is not a map of fields: $why", ({ fields, value }) => {
    const { logAny, posted } = collecting();
    logAny("seen", fields);

    expect(posted).toMatchObject([{ message: "seen", fields: { value } }]);
  });

  it("are cut to 2,000 characters a text, and to 20,000 characters of fields", () => {
    const { collector, posted } = collecting();
    const page = "x".repeat(5_000_000);
    const cut = `${"x".repeat(1_999)}…`;
    collector.log(page, { page, whole: "x".repeat(2_000) });
    collector.log("many", { numbers: Array.from({ length: 20_000 }, () => 7) });

    expect(posted).toMatchObject([
      { message: cut, fields: { page: cut, whole: "x".repeat(2_000) } },
      { message: "many", fields: { cut: expect.stringMatching(/^\{"numbers":\[7,[7,]{1985}…$/) } },
    ]);
  });
});
