import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startSandbox } from "../../../src/sandbox/index.ts";
import { stage, type Stage } from "../support/stage.ts";

let at: Stage;
beforeEach(async () => {
  at = await stage();
});
afterEach(() => at.close());

describe("a running sandbox", () => {
  it("is a handle with its address, its controls, a reset and a close", async () => {
    const sandbox = await startSandbox();

    expect(sandbox).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      control: expect.objectContaining({ url: `${sandbox.url}/_sandbox` }),
    });
    await sandbox.reset("other");
    expect(await sandbox.control.get("/health")).toMatchObject({ seed: "other" });
    await sandbox.close();
    await expect(fetch(sandbox.url)).rejects.toThrow("fetch failed");
  });

  it("shares nothing with another beside it", async () => {
    const other = await startSandbox({ seed: "other" });
    await other.control.post("/clock", { set: "2030-01-01T00:00:00.000Z" });
    await other.control.call("PATCH", "/settings", { limits: { enabled: false } });

    expect(await other.control.get("/users?username=alice")).toMatchObject({ users: [] });
    expect(await at.sandbox.control.get("/settings")).toMatchObject({ limits: { enabled: true } });
    expect(await at.sandbox.control.get<{ now: string }>("/clock")).not.toMatchObject({
      now: expect.stringMatching(/^2030/),
    });
    await other.close();
  });

  it("forgets deliveries that wait for another try when it is reset", async () => {
    await at.subscribed();
    at.answers.statuses = [500, 500];
    await at.sandbox.control.act(at.person, { type: "dm", to: at.bot, text: "lost" });
    await at.sandbox.control.act(at.person, { type: "dm", to: at.bot, text: "lost too" });
    await at.settled();

    await at.sandbox.reset();
    await at.sandbox.control.advance(3_600_000);

    expect(at.received).toEqual([]);
    expect(await at.sandbox.control.get("/deliveries")).toEqual({ deliveries: [] });
  });

  it("is reset in the midst of deliveries, and the next world works", async () => {
    await at.subscribed();
    const acts = Array.from({ length: 50 }, (_, n) =>
      at.sandbox.control.act(at.person, { type: "dm", to: at.bot, text: `before ${n}` }),
    );
    await Promise.all(acts);
    await at.sandbox.reset();
    const before = at.received.length;

    const app = await at.sandbox.control.app();
    const bot = await at.sandbox.control.user("hello_bot");
    const person = await at.sandbox.control.user("alice");
    await at.sandbox.control.host("bot.example", at.target);
    at.answers.secret = app.consumer_secret;
    await at.speakFor(app, bot).subscribed();
    await at.sandbox.control.act(person, { type: "dm", to: bot, text: "after" });
    await at.settled();

    expect(at.received.slice(before).map(({ raw }) => /"text":"([^"]*)"/.exec(raw)?.[1])).toEqual([
      "after",
    ]);
  });
});
