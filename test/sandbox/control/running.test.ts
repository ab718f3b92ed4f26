import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startSandbox } from "../../../src/sandbox/index.ts";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

let fixture: TestSandbox;
beforeEach(async () => {
  fixture = await startTestSandbox();
});
afterEach(() => fixture.close());

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
    expect(await fixture.sandbox.control.get("/settings")).toMatchObject({
      limits: { enabled: true },
    });
    expect(await fixture.sandbox.control.get<{ now: string }>("/clock")).not.toMatchObject({
      now: expect.stringMatching(/^2030/),
    });
    await other.close();
  });

  it("forgets deliveries that wait for another try when it is reset", async () => {
    await fixture.subscribed();
    fixture.answers.statuses = [500, 500];
    await fixture.sandbox.control.act(fixture.person, {
      type: "dm",
      to: fixture.bot,
      text: "lost",
    });
    await fixture.sandbox.control.act(fixture.person, {
      type: "dm",
      to: fixture.bot,
      text: "lost too",
    });
    await fixture.idle();

    await fixture.sandbox.reset();
    await fixture.sandbox.control.advance(3_600_000);

    expect(fixture.received).toEqual([]);
    expect(await fixture.sandbox.control.get("/deliveries")).toEqual({ deliveries: [] });
  });

  it("is reset in the midst of deliveries, and the next world works", async () => {
    await fixture.subscribed();
    const acts = Array.from({ length: 50 }, (_, n) =>
      fixture.sandbox.control.act(fixture.person, {
        type: "dm",
        to: fixture.bot,
        text: `before ${n}`,
      }),
    );
    await Promise.all(acts);
    await fixture.sandbox.reset();
    const before = fixture.received.length;

    const app = await fixture.sandbox.control.app();
    const bot = await fixture.sandbox.control.user("hello_bot");
    const person = await fixture.sandbox.control.user("alice");
    await fixture.sandbox.control.host("bot.example", fixture.target);
    fixture.answers.secret = app.consumer_secret;
    await fixture.callersFor(app, bot).subscribed();
    await fixture.sandbox.control.act(person, { type: "dm", to: bot, text: "after" });
    await fixture.idle();

    expect(
      fixture.received.slice(before).map(({ raw }) => /"text":"([^"]*)"/.exec(raw)?.[1]),
    ).toEqual(["after"]);
  });
});
