import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ControlClient } from "../../../../src/sandbox/index.ts";
import { run, start } from "../../../support/command-line.ts";
import { runningDev, type RunningDev } from "../../support/running-dev.ts";

describe("commands of the sandbox", () => {
  let dev: RunningDev;
  beforeAll(async () => {
    dev = await runningDev();
  });
  afterAll(() => dev.close());

  it("the clock moves, pauses and resumes", async () => {
    const before = await dev.json<{ now: string }>("clock");
    const later = await dev.json<{ now: string }>("clock", "+1h30m");
    const paused = await dev.json<{ frozen: boolean }>("clock", "pause");
    const resumed = await dev.json<{ frozen: boolean }>("clock", "resume");

    expect(Date.parse(later.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(90 * 60_000);
    expect([paused.frozen, resumed.frozen]).toEqual([true, false]);
  });

  it("a fault applies, is listed and removed", async () => {
    await dev.run(
      "fault",
      "add",
      "status",
      "--status",
      "503",
      "--on",
      "request",
      "--path",
      "/2/users/me",
      "--always",
    );
    const refused = await dev.run("api", "GET", "/2/users/me");
    const [fault] = (await dev.run("fault", "list", "--json")).out.split("\n");
    const cleared = await dev.json<{ removed: number }>("fault", "clear");

    expect(refused.err).toContain("503");
    expect(JSON.parse(fault ?? "").hits).toBeGreaterThan(0);
    expect(cleared.removed).toBe(1);
    expect((await dev.run("api", "GET", "/2/users/me")).code).toBe(0);
  });

  it("a snapshot restores deleted data, and is readable by its owner only", async () => {
    const post = await dev.json<{ id: string }>("posts", "create", "to be kept");
    await dev.run("snapshot", "save", "kept");
    await dev.run("posts", "delete", post.id);
    const gone = await dev.run("posts", "get", post.id);
    const restored = await dev.run("snapshot", "restore", "kept");

    expect(gone.code).toBe(1);
    expect(restored.code, restored.err).toBe(0);
    expect((await dev.run("posts", "get", post.id)).code).toBe(0);
    const { mode } = await stat(join(dev.folder, "data", "snapshots", "kept.json"));
    expect(mode & 0o077).toBe(0);
  });

  it("refuses a snapshot of another world unless it is forced", async () => {
    await dev.run("snapshot", "save", "own");
    const file = join(dev.folder, "data", "snapshots", "own.json");
    const world: { world_id: string } = JSON.parse(await readFile(file, "utf8"));
    const other = JSON.stringify({ ...world, world_id: "00000000-0000-4000-8000-000000000000" });
    await writeFile(join(dev.folder, "data", "snapshots", "strange.json"), other);

    const { code, err } = await dev.run("snapshot", "restore", "strange");

    expect(code).toBe(2);
    expect(err).toContain("another world");
  });

  it("a regenerated credential is saved for the next command", async () => {
    await dev.run("apps", "credentials", dev.file.app.id, "regenerate", "bearer");

    expect((await dev.run("webhooks", "list")).code).toBe(0);
  });

  it.each([
    { args: ["+90s"], why: "seconds" },
    { args: ["+1m30s"], why: "several units" },
    { args: ["+90000ms"], why: "milliseconds" },
  ])("clock $args moves the clock by 90 seconds: $why", async ({ args }) => {
    const before = await dev.json<{ offset_ms: number }>("clock");
    const after = await dev.json<{ offset_ms: number }>("clock", ...args);

    expect(after.offset_ms - before.offset_ms).toBe(90_000);
  });

  it("clock to a time of day moves the clock to the next such time, in UTC", async () => {
    const before = await dev.json<{ now: string }>("clock");
    const first = await dev.json<{ now: string }>("clock", "to", "09:00");
    await dev.run("clock", "+1m");
    const second = await dev.json<{ now: string }>("clock", "to", "9:00");

    expect(first.now).toMatch(/T09:00:0\d\.\d{3}Z$/);
    const [start, one, other] = [before, first, second].map(({ now }) => Date.parse(now));
    expect(one).toBeGreaterThan(start ?? 0);
    expect(((other ?? 0) - (one ?? 0)) / 86_400_000).toBeCloseTo(1, 3);
  });

  it("clock -1h sets the clock back, with flags on either side", async () => {
    const before = await dev.json<{ offset_ms: number }>("clock", "+3h");
    const after = await dev.json<{ offset_ms: number }>("clock", "-1h");
    const again = JSON.parse((await dev.run("clock", "--json", "-1h30m")).out);

    expect((after.offset_ms - before.offset_ms) / 3_600_000).toBeCloseTo(-1, 2);
    expect((again.offset_ms - after.offset_ms) / 3_600_000).toBeCloseTo(-1.5, 2);
  });

  it.each([
    { args: ["1h"], err: '"1h" is not a change of the clock', why: "no plus sign" },
    {
      args: ["+1w"],
      err: '"+1w" is not a change of the clock',
      why: "a unit that there is none of",
    },
    { args: ["to"], err: '"to" needs a time', why: "the time is missing" },
    { args: ["to", "25:00"], err: '"25:00" is not a time', why: "no such time of day" },
    { args: ["to", "5"], err: '"5" is not a time', why: "a number" },
    { args: ["to", "soon"], err: '"soon" is not a time', why: "not a date" },
  ])("clock $args is a usage error: $why", async ({ args, err }) => {
    const ran = await dev.run("clock", ...args);

    expect(ran.code).toBe(2);
    expect(ran.err).toContain(err);
    expect(ran.err).toContain("help: write ");
  });

  it.each([
    {
      args: ["drop"],
      fault: { match: { direction: "delivery" }, fault: { type: "drop" }, when: { next: 1 } },
      why: "the defaults",
    },
    {
      args: ["delay", "--ms", "5", "--event", "direct_message_events", "--always"],
      fault: {
        match: { direction: "delivery", event: "direct_message_events" },
        fault: { type: "delay", ms: 5 },
        when: { always: true },
      },
      why: "a parameter of the fault",
    },
    {
      args: ["status", "--status", "503", "--on", "request", "--path", "/2/*", "--every", "3"],
      fault: {
        match: { direction: "request", path: "/2/*" },
        fault: { type: "status", status: 503 },
        when: { every: 3 },
      },
      why: "every third request",
    },
    {
      args: ["cut", "--on", "challenge", "--probability", "0.5", "--seed", "one"],
      fault: {
        match: { direction: "challenge" },
        fault: { type: "cut" },
        when: { probability: 0.5, seed: "one" },
      },
      why: "at random, reproducibly",
    },
    {
      args: ["drop", "--until", "2031-12-02"],
      fault: { when: { until: "2031-12-02T00:00:00.000Z" } },
      why: "until a day",
    },
    {
      args: ["drop", "--until", "2031-12-02T09:00"],
      fault: { when: { until: "2031-12-02T09:00:00.000Z" } },
      why: "until a time in UTC",
    },
  ])("fault add $args: $why", async ({ args, fault }) => {
    const { id } = await dev.json<{ id: string }>("fault", "add", ...args);
    const faults = await dev.rows<{ id: string }>("fault", "list");
    const removed = await dev.json("fault", "clear", id);

    expect(faults.find((fault) => fault.id === id)).toMatchObject(fault);
    expect(removed).toEqual({ removed: 1 });
  });

  it("a fault for an account takes its handle", async () => {
    const [ana] = dev.file.people;
    await dev.run("fault", "add", "drop", "--account", "@ana");

    const [fault] = await dev.rows<{ match: { account: string } }>("fault", "list");
    await dev.run("fault", "clear");

    expect(fault?.match.account).toBe(ana?.id);
    expect((await dev.run("fault", "list")).err).toBe("No fault is active.\n");
  });

  it("a fault for an account that the sandbox does not have is refused", async () => {
    const { code, err } = await dev.run("fault", "add", "drop", "--account", "@nobody");

    expect([code, err]).toEqual([2, expect.stringContaining("the sandbox has no account @nobody")]);
    expect((await dev.run("fault", "list")).err).toBe("No fault is active.\n");
  });

  it("a fault that is not there can't be removed", async () => {
    const { code, out, err } = await dev.run("fault", "clear", "nope");

    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("there is no fault nope");
    expect(err).toContain("answerback fault list");
  });

  it.each([
    { args: ["clock", "-99999999d"], text: "years 1 to 9999" },
    { args: ["apps", "create", "site", "foo=bar"], text: 'there is no setting "foo"' },
    { args: ["apps", "create", "site", "signin=true"], text: "did you mean sign_in?" },
    { args: ["apps", "create", "site", "permission_level=all"], text: "permission_level" },
    { args: ["send", "a person", "hello"], text: "write 1 to 15 letters" },
  ])("a wrong value is a usage error: $args", async ({ args, text }) => {
    const { code, out, err } = await dev.run(...args);

    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(text);
  });

  it("a full-width at-sign begins a handle", async () => {
    const { code, out, err } = await dev.run("send", "＠ana", "what are your hours?");
    const events = await dev.rows("journal", "--person", "＠ana");

    expect(code, err).toBe(0);
    expect(out).toMatch(/^@hello_bot: /);
    expect(events.length).toBeGreaterThan(0);
  });

  it("events are filtered by type, and end after --limit", async () => {
    await dev.run("clock", "+1s");

    const rows = await dev.rows<{ type: string }>(
      "events",
      "--after",
      "0",
      "--type",
      "clock",
      "--limit",
      "1",
    );

    expect(rows.map(({ type }) => type)).toEqual(["clock"]);
  });

  it("apps are created, shown, changed and listed", async () => {
    const created = await dev.json<{ app_id: string; consumer_key: string }>(
      "apps",
      "create",
      "my site",
      "permission_level=read",
      "sign_in=true",
      "callback_urls=https://a.example/,https://b.example/",
    );
    const shown = await dev.json<Record<string, unknown>>("apps", "show", created.app_id);
    await dev.run("apps", "set", created.app_id, "description=Answers questions");
    const changed = (await dev.run("apps", "show", created.app_id)).out;
    const listed = (await dev.run("apps", "list")).out;

    expect(created.consumer_key).not.toBe("");
    expect(shown).toMatchObject({
      name: "my site",
      permission_level: "read",
      callback_urls: ["https://a.example/", "https://b.example/"],
    });
    expect(JSON.stringify(shown)).not.toContain(created.consumer_key);
    expect(changed).toMatch(/^description +Answers questions$/m);
    expect(listed).toMatch(new RegExp(`^${created.app_id} +read +active +my site$`, "m"));
  });

  it("a word that is not a setting is refused with an example of one", async () => {
    const { code, err } = await dev.run("apps", "create", "site", "read");

    expect(code).toBe(2);
    expect(err).toMatch(/"read" is not a setting\n {2}help: write name=value/);
  });

  it.each(["../escape", "", ".hidden", "a/b"])(
    "snapshot save refuses %j as a name",
    async (name) => {
      const { code, err } = await dev.run("snapshot", "save", name);

      expect(code).toBe(2);
      expect(err).toContain("can't be a snapshot's name");
    },
  );

  it("a snapshot that does not exist is a usage error", async () => {
    const { code, err } = await dev.run("snapshot", "restore", "never-saved");

    expect(code).toBe(2);
    expect(err).toContain("answerback snapshot list");
  });
});

describe("the sandbox without a bot", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "answerback-sandbox-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Runs the sandbox with the file `world`, and lets `work` use it. */
  async function withWorld<T>(
    flags: readonly string[],
    work: (control: ControlClient) => Promise<T>,
  ): Promise<T> {
    const args = ["sandbox", "--port", "0", "--json", "--no-console", "--state", "world", ...flags];
    const running = start(folder, ...args);
    const { control_url: url, control_token: token }: Record<string, string> = JSON.parse(
      await running.until(/^(\{.*\})$/m),
    );
    const result = await work(new ControlClient(url ?? "", token ?? ""));
    await running.end();
    return result;
  }
  const names = async (control: ControlClient): Promise<readonly string[]> =>
    (await control.users()).map(({ username }) => username);

  it("--ephemeral loads the file of --state, and leaves it and its folder unchanged", async () => {
    const token = await withWorld([], async (control) => {
      await control.user("ana");
      return control.token;
    });
    const before = await readFile(join(folder, "world"), "utf8");
    const files = await readdir(folder);
    const seen = await withWorld(["--ephemeral"], async (control) => {
      await control.user("ben");
      return { users: await names(control), token: control.token };
    });

    expect(seen).toEqual({ users: ["ana", "ben"], token });
    expect(await readFile(join(folder, "world"), "utf8")).toBe(before);
    expect(await readdir(folder)).toEqual(files);
    expect(await withWorld([], names)).toEqual(["ana"]);
  });

  it("--ephemeral creates no file if --state names none", async () => {
    expect(await withWorld(["--ephemeral"], names)).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([{ flags: [] }, { flags: ["--ephemeral"] }])(
    "refuses a damaged file without a stack: $flags",
    async ({ flags }) => {
      await writeFile(join(folder, "world"), "not a world\n");
      const { code, err } = await run(
        folder,
        "sandbox",
        "--state",
        "world",
        "--port",
        "0",
        ...flags,
      );

      expect(code).toBe(2);
      expect(err).toMatch(/^error: \S+world:1 is not a line of a saved sandbox world/);
      expect(err).toContain("--state");
    },
  );
});
