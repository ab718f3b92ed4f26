import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, test } from "vitest";
import { type RunningSandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { savedClock } from "../../../src/sandbox/control/saved-clock.ts";
import { compareIds } from "../../../src/sandbox/kernel/world/ids.ts";

const open: RunningSandbox[] = [];
async function start(...options: Parameters<typeof startSandbox>): Promise<RunningSandbox> {
  const sandbox = await startSandbox(...options);
  open.push(sandbox);
  return sandbox;
}
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.close();
});

interface State {
  readonly world_id: string;
  readonly tables: Record<string, unknown[]>;
}

describe("the state", () => {
  it("is restored completely in another sandbox", async () => {
    const first = await start();
    await first.control.user("alice");
    await first.control.app();
    const state = await first.control.get<State>("/state");

    const second = await start();
    await second.control.call("PUT", "/state", state);

    const copy = await second.control.get<State>("/state");
    expect(copy.tables).toEqual(state.tables);
    expect(copy.world_id).toBe(state.world_id);
  });

  it("that is earlier sets the clock back, and records the set-back", async () => {
    const sandbox = await start({ clock: { now: Date.UTC(2026, 0, 1), frozen: true } });
    const state = await sandbox.control.get<State>("/state");
    await sandbox.control.advance(60_000);
    await sandbox.control.setClock("2026-01-01T00:00:30.000Z");
    await sandbox.control.call("PUT", "/state", state);

    const { now, set_backs } = await sandbox.control.clock();
    expect(now).toBe("2026-01-01T00:00:00.000Z");
    expect(set_backs).toEqual([
      { n: 1, from: "2026-01-01T00:01:00.000Z", to: "2026-01-01T00:00:30.000Z" },
      { n: 2, from: "2026-01-01T00:00:30.000Z", to: "2026-01-01T00:00:00.000Z" },
    ]);
  });

  it("is refused whole when a part of it is wrong, and names the part", async () => {
    const sandbox = await start();
    await sandbox.control.user("alice");
    const before = await sandbox.control.get<State>("/state");
    const wrong = { ...before, tables: { ...before.tables, users: [], posts: [{ id: 1 }] } };

    await expect(sandbox.control.call("PUT", "/state", wrong)).rejects.toMatchObject({
      status: 400,
      code: "invalid_state",
      message: expect.stringContaining("posts[0].id"),
    });
    expect((await sandbox.control.get<State>("/state")).tables).toEqual(before.tables);
  });

  test.each([
    {
      table: "hosts",
      row: { target: "http://192.168.0.7:80" },
      says: "hosts[0].target: The target",
    },
    { table: "apps", row: { websiteUrl: "javascript:alert(1)" }, says: "apps[0]: website_url: " },
    { table: "apps", row: { callbackUrls: ["http://localhost/"] }, says: "apps[0]: callback_urls" },
    { table: "webhooks", row: { url: "http://10.0.0.1/" }, says: "webhooks[0].url: The URL must" },
    { table: "users", row: { username: "<script>" }, says: "users[0].username: write 1 to 15" },
    { table: "users", row: { createdAt: 1e300 }, says: "users[0].createdAt: " },
    { table: "users", row: { profile: { verified: "yes" } }, says: "users[0].profile.verified: " },
  ])("is held to the rules of the controls: $table with $row", async ({ table, row, says }) => {
    const state = await withOneOfEach();
    const [first] = state.tables[table] ?? [];
    const wrong = {
      ...state,
      tables: { ...state.tables, [table]: [{ ...Object(first), ...row }] },
    };
    const sandbox = await start();

    await expect(sandbox.control.call("PUT", "/state", wrong)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(says),
    });
  });

  it("is refused if two people have one name", async () => {
    const state = await withOneOfEach();
    const [first] = state.tables["users"] ?? [];
    const users = [first, { ...Object(first), id: "7", username: "ALICE" }];
    const sandbox = await start();

    await expect(
      sandbox.control.call("PUT", "/state", { ...state, tables: { ...state.tables, users } }),
    ).rejects.toMatchObject({ message: "users[1].username: alice occurs twice" });
  });

  it("is reproduced by a seed and a frozen clock", async () => {
    const options = { seed: "s", clock: { now: Date.UTC(2026, 0, 1), frozen: true } };
    const apps = await Promise.all(
      [1, 2].map(async () => (await start(options)).control.app({ name: "same" })),
    );

    expect(apps[0]).toEqual(apps[1]);
  });

  it("is empty after a reset, with another world id and ids that go on rising", async () => {
    const sandbox = await start();
    const before = await sandbox.control.get<State>("/state");
    const old = await sandbox.control.user("alice");

    await sandbox.reset();

    const after = await sandbox.control.get<State>("/state");
    expect(Object.values(after.tables).flat()).toEqual([]);
    expect(after.world_id).not.toBe(before.world_id);
    expect(compareIds(await sandbox.control.user("alice"), old)).toBeGreaterThan(0);
  });
});

/** Returns a sandbox's saved state with one user, app, host and webhook. */
async function withOneOfEach(): Promise<State> {
  const sandbox = await start();
  await sandbox.control.user("alice");
  const { app_id } = await sandbox.control.app();
  await sandbox.control.host("bot.example", "http://127.0.0.1:9");
  const state = await sandbox.control.get<State>("/state");
  const webhook = {
    id: "1",
    appId: app_id,
    url: "https://bot.example/hook",
    valid: true,
    createdAt: 1,
    nextCheckAt: 1,
  };
  return { ...state, tables: { ...state.tables, webhooks: [webhook] } };
}

const header = JSON.stringify({
  version: 1,
  world_id: "w",
  seed: "s",
  drawn: 0,
  high_water: "0",
  clock: { now: "2026-01-01T00:00:00.000Z", frozen: false, offset_ms: 0 },
});

describe("a world kept in a file", () => {
  const file = async (): Promise<string> =>
    join(await mkdtemp(join(tmpdir(), "sandbox-")), "world.jsonl");

  it("is there again after a close, one line a row", async () => {
    const state = await file();
    const first = await startSandbox({ state });
    const id = await first.control.user("alice");
    const { world_id } = await first.control.get<State>("/state");
    await first.close();

    const second = await start({ state });
    expect((await second.control.get<State>("/state")).world_id).toBe(world_id);
    expect(await second.control.get("/users?username=alice")).toMatchObject({ users: [{ id }] });
    expect((await readFile(state, "utf8")).split("\n")[1]).toMatch(/^\["users",\{"id":"\d+"/);
  });

  it("never returns an id again, though the last rows were not saved before a kill", async () => {
    const state = await file();
    const machine = (): number => Date.UTC(2026, 0, 1);
    const killed = await start({ state, clock: { machine } });
    const lost = [await killed.control.user("alice"), await killed.control.user("bob")];
    // Starts a second sandbox with the same files, as after a kill: the first sandbox is not closed.
    const next = await start({ state, clock: { machine } });

    expect(compareIds(await next.control.user("carol"), lost[1] ?? "")).toBeGreaterThan(0);
  });

  it("says what the clock shows, after a close and while its changes are only in a journal", async () => {
    const folder = await mkdtemp(join(tmpdir(), "state-"));
    const state = join(folder, "world.jsonl");
    const now = Date.UTC(2026, 0, 1);
    const machine = () => now;
    const shown = () => savedClock(state, now + 60_000);
    expect(await shown()).toBeUndefined();
    const sandbox = await start({ state, clock: { machine } });
    await sandbox.control.advance(3_600_000);
    expect(await shown()).toEqual({ now: "2026-01-01T01:01:00.000Z", offset_ms: 3_600_000 });
    await sandbox.control.post("/clock", { set: "2025-12-31T00:00:00.000Z" });
    await sandbox.control.reset();
    await sandbox.control.advance(3_600_000);
    const { offset_ms: offset } = await sandbox.control.clock();
    expect(await shown()).toMatchObject({ offset_ms: offset });
    await sandbox.close();
    expect(await shown()).toMatchObject({ offset_ms: offset });
    const next = await start({ state, clock: { machine } });
    expect(await next.control.clock()).toMatchObject({ offset_ms: offset });

    await next.control.post("/clock", { set: "2030-01-01T00:00:00.000Z" });
    await next.control.post("/clock", { frozen: true });
    await next.close();
    expect(await shown()).toMatchObject({ now: "2030-01-01T00:00:00.000Z" });
  });

  it("may be in a folder that does not exist yet", async () => {
    const state = join(await mkdtemp(join(tmpdir(), "sandbox-")), "some", "where", "world.jsonl");
    const first = await startSandbox({ state });
    const id = await first.control.user("alice");
    await first.close();

    const second = await start({ state });
    expect(await second.control.get("/users?username=alice")).toMatchObject({ users: [{ id }] });
  });

  test.each([
    {
      lines: ["{}"],
      says: " is not a saved sandbox world: version",
      why: "the header is another's",
    },
    { lines: [header, "nonsense"], says: ":2 is not a line", why: "a line is not JSON" },
    { lines: [header, "{}"], says: ":2 is not a line", why: "a line is not a row" },
    {
      lines: [header, '["x",{}]'],
      says: " is not a saved sandbox world: tables.x: there is no such table",
      why: "no such table",
    },
    {
      lines: [header, "", '["users",{}]'],
      says: " is not a saved sandbox world: users[0].id: ",
      why: "a row does not fit",
    },
  ])("is refused at start when $why", async ({ lines, says }) => {
    const state = await file();
    await writeFile(state, `${lines.join("\n")}\n`);

    await expect(startSandbox({ state })).rejects.toThrow(`${state}${says}`);
  });

  it("is refused when a part of it leads to another machine, with the name of that part", async () => {
    const state = await file();
    const row = '["hosts",{"host":"bot.example","target":"http://example.com"}]';
    await writeFile(state, `${header}\n${row}\n`);

    await expect(startSandbox({ state })).rejects.toThrow(
      "hosts[0].target: The target must be on loopback",
    );
  });

  it("is refused when its id mark is not one, since ids could recur", async () => {
    const state = await file();
    await writeFile(`${state}.mark`, "12x");

    await expect(startSandbox({ state })).rejects.toThrow(`${state}.mark is not an id mark`);
  });
});
