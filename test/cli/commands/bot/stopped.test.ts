import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../../../src/runtime/store/open.ts";
import { when } from "../../../support/when.ts";
import { runningDev, type RunningDev } from "../../support/running-dev.ts";

const LEFT = /^The bot is not running; this is what it left, as of \S+Z\.\n$/;

describe("what a bot has done", () => {
  let dev: RunningDev;
  beforeAll(async () => {
    dev = await runningDev();
  });
  afterAll(() => dev.close());

  it("is listed by the sandbox's clock, which is said where it is another", async () => {
    expect((await dev.run("journal")).err).toBe("No event has been received.\n");
    await dev.run("send", "@ana", "when are you open?");
    expect((await dev.run("journal")).err).toBe("");

    await dev.run("clock", "+2h");
    const told = "Times are by the sandbox's clock, which is +2h of this machine's.\n";
    expect((await dev.run("journal")).err).toBe(told);
    expect((await dev.run("outbox")).err).toBe(told);
    expect((await dev.run("dm", "list")).err).toBe(told);
    expect((await dev.run("logs", "-n", "1")).err).toBe(
      "Times are by this machine's clock; the sandbox's is +2h of it.\n",
    );
    expect((await dev.run("journal", "--json")).err).toBe("");
  });

  it("shows what orders a terminal as escapes", async () => {
    await dev.run("send", "@ben", "red \u001B[31m and \u202Ebackwards\nopen?");
    const shown = String.raw`red \u001b[31m and \u202ebackwards\nopen?`;

    expect((await dev.run("journal")).out).toContain(shown);
    expect((await dev.run("why", "last")).out).not.toContain("\u202E");
    expect((await dev.run("dm", "list", "--with", "@ben")).out).toMatch(
      new RegExp(`Z +@ben +@ben +red .u001b\\[31m and`),
    );
  });

  it("is told with the handle of everybody", async () => {
    const { out } = await dev.run("dm", "list");

    expect(out).toMatch(/Z {2}@ana {2}@hello_bot {2}We're open/);
    expect(out).toMatch(/Z {2}@ana {2}@ana {8}when are you open/);
    expect(out).not.toMatch(/\d{10,}/);
  });

  it("can be read when it does not run, and stays as it is", async () => {
    await when(async () => {
      const { store } = await dev.json<{ store: { journal: number; inbox: number } }>("status");
      // two messages, and the two answers, which come back as events; the end of a replay may be there, too
      return store.journal >= 4 && store.inbox === 0 ? true : undefined;
    });
    const running = await dev.run("journal");
    await dev.running.end();
    const file = (name: string) => readFile(join(dev.folder, "data", name));
    const before = await Promise.all(["store.db", "store.id"].map(file));

    const journal = await dev.run("journal");
    const outbox = await dev.run("outbox", "--status", "failed");
    const item = await dev.run("outbox", "show", "1");
    const why = await dev.run("why", "1");
    const status = await dev.run("status");
    const coverage = await dev.run("coverage");
    const logs = await dev.run("logs", "-n", "1");

    expect(journal).toEqual({ code: 0, out: running.out, err: expect.stringMatching(LEFT) });
    expect(outbox.err).toMatch(
      /^The bot is not running.*\nNone failed; \d sent: answerback outbox/,
    );
    expect(status.out).toMatch(/^store +last written by Answerback \d+\.\d+\.\d+$/m);
    expect(item.out).toMatch(/^action +message to @ana: We're open/m);
    expect(why.out).toContain("hours ran");
    expect(coverage).toMatchObject({ code: 0, err: expect.stringMatching(LEFT) });
    expect(coverage.out).toMatch(/^@hello_bot/m);
    expect(status).toMatchObject({ code: 5, err: expect.stringMatching(LEFT) });
    expect(status.out).toMatch(/^bot +does not run; .*\nevents +\d kept, 0 to decide\nanswers +\d/);
    expect(logs.code).toBe(0);
    expect(await Promise.all(["store.db", "store.id"].map(file))).toEqual(before);
  });

  it("is not read behind the back of a process that holds it", async () => {
    const store = await openStore(`file:${join(dev.folder, "data")}`);
    const { code, err } = await dev.run("journal");
    await store.close();

    expect(code).toBe(1);
    expect(err).toMatch(/^error: .*held|lock|another/);
  });
});
