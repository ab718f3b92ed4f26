import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { begin } from "../../support/command-line.ts";
import { listen } from "../../../src/system/listen.ts";
import { readRunFile } from "../../../src/runtime/control/run-file.ts";
import { postForm, tokenOf } from "../../console/signed-in.ts";
import { runningDev, type RunningDev } from "../support/running-dev.ts";
import { FREE_PORTS } from "../../support/own-address.ts";

describe("dev, started twice", () => {
  let dev: RunningDev;
  beforeAll(async () => {
    dev = await runningDev();
  });
  afterAll(() => dev.close());

  it("a second dev on the same folder is refused, with a hint", async () => {
    const { code, err } = await dev.run("dev", "--fresh");

    expect(code).toBe(2);
    expect(err).toContain("is already running here");
    expect(err).toContain("--data OTHER-FOLDER");
  });
});

describe("dev after its bot is killed", () => {
  it("prints a new code for the console, which signs in", async () => {
    const dev = await runningDev();
    const first = await dev.running.until(/code +([0-9A-Z]{4}-[0-9A-Z]{4})/);
    const { pid = 0 } = (await readRunFile(join(dev.folder, "data"))) ?? {};
    process.kill(pid, "SIGKILL");

    const line = await dev.running.until(/Console: (\S+, new code: \S+)/);
    const [page = "", code = ""] = line.split(", new code: ");
    const { origin } = new URL(page);
    expect(code).not.toBe(first);
    expect(tokenOf(await postForm(origin, { code: first }))).toBeUndefined();
    expect(tokenOf(await postForm(origin, { code }))).toEqual(expect.any(String));
    await dev.close();
  });
});

describe("dev with a module that is broken since a restart", () => {
  it("says that the events of its bot wait, as status does", async () => {
    const folder = await mkdtemp(join(tmpdir(), "answerback-broken-"));
    const at = (...args: readonly string[]) => begin({ cwd: folder, env: FREE_PORTS }, args);
    await at("init", ".", "--template", "typescript").ended;
    const first = at("dev");
    expect(await first.until(/bots +(.+)/)).toBe("guess");
    await first.end();
    await writeFile(join(folder, "bots", "guess.ts"), 'throw new Error("no database");');
    const second = at("dev");
    const shown = await second.until(/bots +(.+)/);
    const { out: status } = await at("status").ended;
    await second.end();
    await rm(folder, { recursive: true });

    expect(shown).toBe("guess, not loaded yet: events wait");
    expect(status).toMatch(/^bots +guess \(NOT loaded: its events wait\)$/m);
    expect(status).toMatch(/^bot fault +.*guess\.ts: Error: no database$/m);
  });
});

describe("dev, started in two folders at once", () => {
  it("has each listen at ports of its own, though both find the same ones free", async () => {
    const folders = await Promise.all(
      [1, 2].map(() => mkdtemp(join(tmpdir(), "answerback-at-once-"))),
    );
    const both = folders.map((cwd) => begin({ cwd }, ["dev"]));
    await Promise.allSettled(both.map((dev) => dev.until("Ctrl-C ends both")));
    const ran = await Promise.all(both.map((dev) => dev.end()));
    for (const folder of folders) await rm(folder, { recursive: true });

    const consoles = ran.map(({ out }) => /console +http:\/\/([^/]+)/.exec(out)?.[1]);
    expect(consoles, ran.map(({ err }) => err).join("\n")).toEqual([
      expect.any(String),
      expect.any(String),
    ]);
    expect(new Set(consoles).size).toBe(2);
  });
});

describe("dev with a webhook.listen that is not on loopback", () => {
  it.each(["0.0.0.0", "[::]", "203.0.113.9"])("listens on 127.0.0.1 for %s", async (host) => {
    const cwd = await mkdtemp(join(tmpdir(), "answerback-listen-"));
    const env = { ...FREE_PORTS, ANSWERBACK_WEBHOOK_LISTEN: `${host}:0` };
    const dev = begin({ cwd, env }, ["dev"]);
    await dev.until("Try, in another terminal").catch(() => undefined);
    const { listening, challenged } = await begin({ cwd }, ["status", "--json"]).ended.then(
      ({ out }) => ({
        listening: /"listen":"127\.0\.0\.1:\d+"/.test(out),
        challenged: /"valid":true/.test(out),
      }),
    );
    const { code, err } = await dev.end();
    await rm(cwd, { recursive: true });

    expect(err).not.toContain("bug:");
    expect(err).toContain(`listens on 127.0.0.1 instead of ${host}`);
    expect({ code, listening, challenged }).toEqual({ code: 0, listening: true, challenged: true });
  });
});

describe("dev, started again", () => {
  it("with --fresh starts with new data and keeps the old", async () => {
    const dev = await runningDev();
    await dev.run("accounts", "add", "@shop");
    await dev.running.end();
    const again = begin({ cwd: dev.folder, env: FREE_PORTS }, ["dev", "--fresh"]);
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

  it("prints for people why the bot can't start", async () => {
    const dev = await runningDev();
    await dev.running.end();
    await rm(join(dev.folder, "data", "world.jsonl"));

    const { code, err } = await dev.run("dev");

    expect(code).toBe(2);
    expect(err).toMatch(/^error: .*world/m);
    expect(err).toContain("  help: ");
    expect(err).not.toContain('{"code"');
    await dev.close();
  });
});

describe("dev --ephemeral", () => {
  it("leaves no folder when it can't start", async () => {
    const folder = await mkdtemp(join(tmpdir(), "answerback-busy-"));
    const temporary = join(folder, "tmp");
    await mkdir(temporary);
    vi.stubEnv("TMPDIR", temporary);
    const server = createServer();
    const port = String(await listen(server, 0, "127.0.0.1"));
    await begin({ cwd: folder }, ["init", "."]).ended;

    const { code, err } = await begin({ cwd: folder }, ["dev", "--ephemeral", "--port", port])
      .ended;
    vi.unstubAllEnvs();
    server.close();
    const remaining = await readdir(temporary);
    await rm(folder, { recursive: true });

    expect([code, err]).toEqual([2, expect.stringContaining(port)]);
    expect(remaining).toEqual([]);
  });
});
