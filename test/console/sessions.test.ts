import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { openConsoleKeys } from "../../src/console/sign-in/console-keys.ts";
import { openSessions, type Sessions } from "../../src/console/sign-in/sessions.ts";

const DAY = 86_400_000;
const BEGIN = Date.UTC(2026, 0, 1);

let folder: string;
let now: number;
let sessions: Sessions;

/** The sessions of a console that is started on the folder. */
const started = async () => openSessions(await openConsoleKeys(folder, () => now), () => now);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sessions-"));
  now = BEGIN;
  sessions = await started();
});
afterEach(() => rm(folder, { recursive: true }));

describe("a link", () => {
  test.each([
    { after: DAY - 1, signsIn: true },
    { after: DAY, signsIn: false },
  ])("that is $after ms old signs in: $signsIn", async ({ after, signsIn }) => {
    const link = sessions.link("operator");
    now += after;

    expect((await sessions.exchange(link)) !== undefined).toBe(signsIn);
  });

  test.each(["reader", "operator"] as const)("for a %s signs in as that", async (role) => {
    const cookie = await sessions.exchange(sessions.link(role));

    expect(sessions.read(cookie)).toMatchObject({ role });
  });

  it("that was used is refused also after a restart, until it has ended by itself", async () => {
    const [first, second] = [sessions.link("operator"), sessions.link("operator")];
    await sessions.exchange(first);
    const later = await started();

    expect(await later.exchange(first)).toBeUndefined();
    expect(await later.exchange(second)).toBeDefined();
    now += DAY;
    await later.exchange(later.link("operator"));
    expect(await later.exchange(first)).toBeUndefined();
  });

  it("is used once, by the first of two browsers at the same time", async () => {
    const link = sessions.link("operator");
    const [first, second] = await Promise.all([sessions.exchange(link), sessions.exchange(link)]);

    expect(sessions.read(first)).toMatchObject({ role: "operator" });
    expect(second).toBeUndefined();
  });
});

describe("a cookie", () => {
  const cookieOf = async (role: "reader" | "operator") =>
    (await sessions.exchange(sessions.link(role))) ?? "";

  test.each([
    { after: 30 * DAY - 1, isSignedIn: true },
    { after: 30 * DAY, isSignedIn: false },
  ])("that is $after ms old is signed in: $isSignedIn", async ({ after, isSignedIn }) => {
    const cookie = await cookieOf("operator");
    now += after;

    expect(sessions.read(cookie) !== undefined).toBe(isSignedIn);
  });

  it("holds over a restart, and not with another folder's key", async () => {
    const cookie = await cookieOf("operator");

    expect((await started()).read(cookie)).toMatchObject({ role: "operator" });
    await rm(join(folder, "console.json"));
    expect((await started()).read(cookie)).toBeUndefined();
  });

  it("is none where its role, its time or its seal were changed", async () => {
    const cookie = await cookieOf("reader");
    const [, , , until = ""] = cookie.split(".");
    const changed = [
      cookie.replace(".reader.", ".operator."),
      cookie.replace(until, String(Number(until) + DAY)),
      cookie.slice(0, -1),
      `${cookie}A`,
      cookie.slice(0, cookie.lastIndexOf(".")),
      "",
    ];

    expect(sessions.read(cookie)).toMatchObject({ role: "reader" });
    expect(changed.map((one) => sessions.read(one))).toEqual(changed.map(() => undefined));
  });

  it("is no link, and a link is no cookie", async () => {
    const cookie = await cookieOf("operator");
    const link = sessions.link("operator");

    expect(await sessions.exchange(cookie)).toBeUndefined();
    expect(sessions.read(link)).toBeUndefined();
    expect(sessions.read(await sessions.exchange(link))).toBeDefined();
  });

  it("of a reader may do more once it is exchanged for one that may", async () => {
    const reader = sessions.read(await cookieOf("reader"));
    if (reader === undefined) throw new Error("the reader is not signed in");
    const operator = sessions.read(sessions.promoted(reader));

    expect(operator).toMatchObject({ role: "operator" });
    expect(operator && sessions.commandToken(operator)).not.toBe(sessions.commandToken(reader));
    expect(sessions.commandToken(reader)).toBe(sessions.commandToken(reader));
  });
});

describe("the file of the keys", () => {
  it("is its owner's only, and made again where it can't be read", async () => {
    const file = join(folder, "console.json");
    const before = await readFile(file, "utf8");
    await started();
    expect(await readFile(file, "utf8")).toBe(before);
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe("600");

    for (const broken of ["{", '{"secret":"short","used":[]}']) {
      await writeFile(file, broken);
      await started();
      const { secret }: { secret: string } = JSON.parse(await readFile(file, "utf8"));
      expect(secret.length).toBeGreaterThan(31);
    }
  });
});
