import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { begin } from "../support/command-line.ts";
import { when } from "../support/when.ts";
import { runningDev, type RunningDev } from "./support/running-dev.ts";

describe("commands beside a running dev", () => {
  let dev: RunningDev;
  beforeAll(async () => {
    dev = await runningDev();
  });
  afterAll(() => dev.close());

  const json = async <T>(...args: readonly string[]): Promise<T> => {
    const { out, err } = await dev.run(...args, "--json");
    if (out === "") throw new Error(err);
    return JSON.parse(out);
  };

  it("a second dev on the same folder is refused, with what to do", async () => {
    const { code, err } = await dev.run("dev", "--fresh");

    expect(code).toBe(2);
    expect(err).toContain("runs here already");
    expect(err).toContain("--data OTHER-FOLDER");
  });

  it("the clock moves, stands still and goes on", async () => {
    const before = await json<{ now: string }>("clock");
    const later = await json<{ now: string }>("clock", "+1h30m");
    const paused = await json<{ frozen: boolean }>("clock", "pause");
    const resumed = await json<{ frozen: boolean }>("clock", "resume");

    expect(Date.parse(later.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(90 * 60_000);
    expect([paused.frozen, resumed.frozen]).toEqual([true, false]);
  });

  it("a fault strikes, is listed and taken away", async () => {
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
    const cleared = await json<{ removed: number }>("fault", "clear");

    expect(refused.err).toContain("503");
    expect(JSON.parse(fault ?? "").hits).toBeGreaterThan(0);
    expect(cleared.removed).toBe(1);
    expect((await dev.run("api", "GET", "/2/users/me")).code).toBe(0);
  });

  it("a snapshot brings back what was deleted since, and is its owner's only", async () => {
    const post = await json<{ id: string }>("posts", "create", "to be kept");
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
    const file = join(dev.folder, "data", "snapshots", "kept.json");
    const world: { world_id: string } = JSON.parse(await readFile(file, "utf8"));
    const other = JSON.stringify({ ...world, world_id: "00000000-0000-4000-8000-000000000000" });
    await writeFile(join(dev.folder, "data", "snapshots", "strange.json"), other);

    const { code, err } = await dev.run("snapshot", "restore", "strange");

    expect(code).toBe(2);
    expect(err).toContain("another world");
  });

  it("a piped conversation answers line by line, and says which line had no answer", async () => {
    const input = "when are you open?\n/as @ben\nwhere is a12345?\n";

    const { code, out } = await begin({ cwd: dev.folder, input }, ["chat"]).ended;
    const silent = await begin({ cwd: dev.folder, input: "mumble\n" }, ["chat", "--wait", "0.3"])
      .ended;

    expect(code).toBe(0);
    expect(out).toBe(
      "@hello_bot: We're open Monday to Friday, 9:00 to 17:30.\n" +
        "@hello_bot: Order A12345 has left our warehouse.\n",
    );
    expect(silent).toMatchObject({ code: 3, err: "No answer to: mumble\n" });
  });

  it("the log of the bot is kept, shown to people and given to programs", async () => {
    const people = await dev.run("logs", "-n", "500");
    const programs = await dev.run("logs", "--json", "-n", "1");

    expect(people.out).toMatch(/Z info {2}link: subscribed/);
    expect(JSON.parse(programs.out)).toMatchObject({ level: 30 });
  });

  it("the log is followed: a line that comes is shown", async () => {
    const following = begin({ cwd: dev.folder }, ["logs", "-f", "-n", "0"]);
    await dev.run("send", "@ben", "hello");

    await following.until("outbox:");

    expect((await following.end()).code).toBe(0);
  });

  it("outbox and journal tell what came in and went out", async () => {
    const sent = (await dev.run("outbox", "--status", "sent")).out;
    const came = (await dev.run("journal")).out;

    expect(sent).toMatch(/message to \d+: We're open/);
    expect(came).toContain("rule:hours");
  });

  it("doctor finds what is broken and names what mends it, and finds nothing once it is mended", async () => {
    const { id } = dev.file.bot;
    await dev.run("subscriptions", "remove", id);
    const broken = await dev.run("doctor", "--json");
    const findings = broken.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const [failed] = findings.filter(({ state }) => state === "fail");
    const mended = await dev.run(...String(failed.mend).split(" ").slice(1));
    const well = await dev.run("doctor");

    expect(broken.code).toBe(3);
    expect(failed).toMatchObject({
      name: "subscription",
      mend: "answerback subscriptions add --as @hello_bot",
    });
    expect(mended.code, mended.err).toBe(0);
    expect(well.code, well.out).toBe(0);
  });

  it("a key made anew goes on being known here", async () => {
    await dev.run("apps", "credentials", dev.file.app.id, "regenerate", "bearer");

    expect((await dev.run("webhooks", "list")).code).toBe(0);
  });

  it("a refusal of the platform about rights exits with 4", async () => {
    const { code } = await dev.run("api", "POST", "/2/webhooks", "--body", "{}", "--as", "@ana");

    expect(code).toBe(4);
  });

  it("what strangers write can't move the cursor", async () => {
    const [ana] = dev.file.people;
    await dev.control.act(ana?.id ?? "", { type: "post", text: "look \u001B[2J here sneaky" });

    const found = await when(async () => {
      const { out } = await dev.run("posts", "search", "sneaky");
      return out === "" ? undefined : out;
    });

    expect(found).not.toContain("\u001B");
  });
});

describe("dev, started again", () => {
  it("with --fresh moves the old data aside and begins anew", async () => {
    const dev = await runningDev();
    await dev.run("accounts", "add", "@shop");
    await dev.running.end();
    const again = begin({ cwd: dev.folder, env: { ANSWERBACK_WEBHOOK_LISTEN: "127.0.0.1:0" } }, [
      "dev",
      "--fresh",
    ]);
    await again.until("Try, in another terminal");

    const { err } = await again.end();
    const aside = (await readdir(dev.folder)).find((name) => name.startsWith("data.")) ?? "";

    expect(err).toContain(`kept in ${aside}`);
    expect(await readdir(join(dev.folder, aside))).toEqual(
      expect.arrayContaining(["accounts.json", "world.jsonl"]),
    );
    expect((await dev.run("accounts", "list")).out).not.toContain("@shop");
    await dev.close();
  });

  it("tells in people's words why the bot can't start", async () => {
    const dev = await runningDev();
    await dev.running.end();
    await rm(join(dev.folder, "data", "world.jsonl"));

    const { code, err } = await dev.run("dev");

    expect(code).toBe(2);
    expect(err).toMatch(/^error: .*world/);
    expect(err).toContain("  help: ");
    expect(err).not.toContain('{"code"');
    await dev.close();
  });
});
