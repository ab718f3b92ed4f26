import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStore } from "../../../../src/runtime/store/open.ts";
import type { Ran } from "../../../support/command-line.ts";
import { when } from "../../../support/when.ts";
import { runningDev, type RunningDev } from "../../support/running-dev.ts";

const LEFT = /^The bot is not running; this is what it left, as of \S+Z\.\n$/;
/** The same, for a command that lists times. */
const LEFT_WITH_TIMES = new RegExp(
  `${LEFT.source.slice(0, -1)}Times are by the sandbox's clock, which is \\+2h of this machine's\\.\n$`,
);

/** Output of commands while the bot was running: before the first event, after @ana wrote, and two hours later. */
interface Printed {
  readonly empty: Ran;
  readonly fresh: Ran;
  readonly journal: Ran;
  readonly json: Ran;
  readonly outbox: Ran;
  readonly messages: Ran;
  readonly bens: Ran;
  readonly why: Ran;
  readonly logs: Ran;
  readonly trace: Ran;
  readonly webhooks: Ran;
  readonly status: Ran;
}

/** Lets @ana and @ben write, moves the clock, and records the output of commands meanwhile. */
async function watched(dev: RunningDev): Promise<Printed> {
  const empty = await dev.run("journal");
  await dev.run("send", "@ana", "when are you open?");
  const fresh = await dev.run("journal");
  await dev.run("send", "@ben", "red \u001B[31m and \u202Ebackwards\nopen?");
  await dev.run("clock", "+2h");
  // For the bot, the two hours were an outage, so it replays their events. After the replay it is idle.
  await when(async () => {
    const rows = await dev.rows<{ kind: string }>("journal");
    const { store } = await dev.json<{ store: { inbox: number } }>("status");
    const isReplayed = rows.some(({ kind }) => kind === "replay_finished");
    return isReplayed && store.inbox === 0 ? true : undefined;
  });
  return {
    empty,
    fresh,
    journal: await dev.run("journal"),
    json: await dev.run("journal", "--json"),
    outbox: await dev.run("outbox"),
    messages: await dev.run("dm", "list"),
    bens: await dev.run("dm", "list", "--with", "@ben"),
    why: await dev.run("why", "last"),
    logs: await dev.run("logs", "-n", "1"),
    trace: await dev.run("trace", "1"),
    status: await dev.run("status"),
    webhooks: await dev.run("webhooks", "list"),
  };
}

describe("the record of a stopped bot", () => {
  let dev: RunningDev;
  let printed: Printed;
  beforeAll(async () => {
    dev = await runningDev();
    printed = await watched(dev);
    await dev.running.end();
  });
  afterAll(() => dev.close());

  it("is listed by the sandbox's clock, which is named if it differs", () => {
    expect(printed.empty.err).toBe("No event has been received.\n");
    expect(printed.fresh.err).toBe("");

    const notice = "Times are by the sandbox's clock, which is +2h of this machine's.\n";
    expect(printed.journal.err).toBe(notice);
    expect(printed.outbox.err).toBe(notice);
    expect(printed.messages.err).toBe(notice);
    expect(printed.logs.err).toBe(notice);
    expect(printed.trace.err).toBe(notice);
    expect(printed.why.err).toContain(notice);
    expect(printed.status.err).toBe(notice);
    expect(printed.webhooks.err).toBe(notice);
    // the log line shows the sandbox's time, with the machine's time beside it
    const [, shown = "", machine = ""] =
      /^(\S+Z) .* machine_time=(\S+Z)/m.exec(printed.logs.out) ?? [];
    expect(Date.parse(shown) - Date.parse(machine)).toBeGreaterThan(2 * 3_600_000 - 2_000);
    expect(printed.json.err).toBe("");
  });

  it("shows control characters as escapes", () => {
    const shown = String.raw`red \u001b[31m and \u202ebackwards\nopen?`;

    expect(printed.journal.out).toContain(shown);
    expect(printed.why.out).not.toContain("\u202E");
    expect(printed.bens.out).toMatch(new RegExp(`Z +@ben +@ben +red .u001b\\[31m and`));
  });

  it("shows the handle of each person", () => {
    const { out } = printed.messages;

    expect(out).toMatch(/Z {2}@ana {2}@hello_bot {2}We're open/);
    expect(out).toMatch(/Z {2}@ana {2}@ana {8}when are you open/);
    expect(out).not.toMatch(/\d{10,}/);
  });

  it("can be read when the bot is not running, and does not change", async () => {
    const file = (name: string) => readFile(join(dev.folder, "data", name));
    const before = await Promise.all(["store.db", "store.id"].map(file));

    const journal = await dev.run("journal");
    const outbox = await dev.run("outbox", "--status", "failed");
    const item = await dev.run("outbox", "show", "1");
    const why = await dev.run("why", "1");
    const status = await dev.run("status");
    const coverage = await dev.run("coverage");
    const logs = await dev.run("logs", "-n", "1");

    expect(journal).toEqual({
      code: 0,
      out: printed.journal.out,
      err: expect.stringMatching(LEFT_WITH_TIMES),
    });
    expect(outbox.err).toMatch(
      /^The bot is not running.*\nNone failed; \d sent: answerback outbox/,
    );
    expect(status.out).toMatch(/^store +last written by Answerback \d+\.\d+\.\d+$/m);
    expect(item.out).toMatch(/^action +message to @ana: We're open/m);
    expect(why.out).toContain("hours ran");
    expect(coverage).toMatchObject({ code: 0, err: expect.stringMatching(LEFT_WITH_TIMES) });
    expect(coverage.out).toMatch(/^@hello_bot/m);
    expect(status).toMatchObject({ code: 5, err: expect.stringMatching(LEFT) });
    expect(status.out).toMatch(
      /^bot +does not run; start it with: answerback dev\nevents +\d kept, 0 to decide\nanswers +\d/,
    );
    expect(logs.code).toBe(0);
    expect(await Promise.all(["store.db", "store.id"].map(file))).toEqual(before);
  });

  it("is listed by the handle of an account, and no other handle is accepted", async () => {
    const { id } = dev.file.bot;
    for (const list of ["journal", "outbox", "escalations"]) {
      const byId = await dev.run(list, "--account", id, "--json");

      expect(await dev.run(list, "--account", "@Hello_Bot", "--json")).toEqual(byId);
      expect((await dev.run(list, "--account", "nobody")).err).toContain(
        "no account nobody is linked",
      );
      expect(byId.out === "").toBe(list === "escalations");
    }
  });

  it("is explained by person although another program has the process id of the sandbox", async () => {
    const file = join(dev.folder, "data", "sandbox.json");
    const written: object = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, JSON.stringify({ ...written, pid: process.pid }));

    const why = await dev.run("why", "@ana");
    expect(why.code).toBe(0);
    expect(why.out).toContain("hours ran");
  });

  it("is not read while another process holds it", async () => {
    const store = await openStore(`file:${join(dev.folder, "data")}`);
    const { code, err } = await dev.run("journal");
    await store.close();

    expect(code).toBe(5);
    expect(err).toMatch(/^error: a process uses the store in .*, but answers no command/);
  });
});
