import { createHmac } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import {
  CODE_MS,
  type Invitations,
  openInvitations,
  TOKEN_MS,
} from "../../src/console/sign-in/invitations.ts";
import { openSessionFile } from "../../src/console/sign-in/session-file.ts";
import { openSessions, type Sessions } from "../../src/console/sign-in/sessions.ts";

const DAY = 86_400_000;
const BEGIN = Date.UTC(2026, 0, 1);
const HOST = "127.0.0.1:8081";
const AT = { host: HOST, browser: "a browser" };
const ADMIN = "the admin's long token";

let folder: string;
let now: number;
let sessions: Sessions;
let invitations: Invitations;
/** Messages of the errors with which sessions could not be stored. */
let unstored: string[];
const onUnstored = (error: unknown): void => void unstored.push(String(error));

/** Opens the sessions that are stored in the folder, as a console does at its start. */
const started = async (adminToken: string | undefined = ADMIN) => startedAt(8081, adminToken);

const startedAt = async (port: number, adminToken?: string): Promise<Sessions> => {
  const file = await openSessionFile(folder, adminToken, onUnstored);
  return openSessions(file, port, () => now, onUnstored);
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sessions-"));
  now = BEGIN;
  unstored = [];
  sessions = await started();
  invitations = openInvitations(() => now);
});
afterEach(async () => {
  invitations.close();
  await rm(folder, { recursive: true });
});

/** Lets all writes of the stored sessions fail. */
async function refuseWrites(): Promise<void> {
  await rm(join(folder, "console.json"));
  await mkdir(join(folder, "console.json"));
}

const acceptWrites = (): Promise<void> =>
  rm(join(folder, "console.json"), { recursive: true, force: true });

describe("an invitation", () => {
  test.each([
    { by: "token", after: TOKEN_MS - 1, result: "operator" },
    { by: "token", after: TOKEN_MS, result: "void" },
    { by: "code", after: CODE_MS - 1, result: "operator" },
    { by: "code", after: CODE_MS, result: "void" },
  ] as const)("is redeemed by its $by after $after ms: $result", ({ by, after, result }) => {
    const { token, code } = invitations.create("operator");
    now += after;

    const redeemed =
      by === "token" ? invitations.redeemToken(token) : invitations.redeemCode(code ?? "");
    expect(redeemed).toBe(result);
  });

  it("has a token for a minute, and a code for an hour", () => {
    expect([TOKEN_MS, CODE_MS]).toEqual([60_000, 3_600_000]);
  });

  test.each(["reader", "operator"] as const)("for a %s has that role", (role) => {
    expect(invitations.redeemToken(invitations.create(role).token)).toBe(role);
  });

  it("is used once, in one of its two ways", () => {
    const [first, second] = [invitations.create("operator"), invitations.create("operator")];

    expect(invitations.redeemToken(first.token)).toBe("operator");
    expect(invitations.redeemToken(first.token)).toBe("void");
    expect(invitations.redeemCode(first.code ?? "")).toBe("void");
    expect(invitations.redeemCode(second.code ?? "")).toBe("operator");
    expect(invitations.redeemToken(second.token)).toBe("void");
  });

  it("reports when its token is spent", () => {
    const spent: string[] = [];
    const used = invitations.create("operator", { onSpent: () => spent.push("used") });
    invitations.create("operator", { onSpent: () => spent.push("closed") });

    invitations.redeemToken(used.token);
    expect(spent).toEqual(["used"]);
    invitations.close();
    expect(spent).toEqual(["used", "closed"]);
  });

  it("has a code that may be typed in lower case, without its dash and with letters for digits", () => {
    const { code = "" } = invitations.create("operator");
    const typed = code.toLowerCase().replace("-", " ").replaceAll("0", "o").replaceAll("1", "l");

    expect(invitations.redeemCode(typed)).toBe("operator");
  });

  it("is not guessed: after ten wrong codes all codes are refused for a minute", () => {
    const { token, code = "" } = invitations.create("operator");
    for (let tries = 0; tries < 10; tries += 1) {
      expect(invitations.redeemCode(`WRNG-${tries}000`)).toBe("void");
    }
    expect(invitations.redeemCode(code)).toBe("too-many");
    now += 60_000;
    expect(invitations.redeemCode(code)).toBe("operator");
    expect(invitations.redeemToken(token)).toBe("void");
  });

  it("gives way to a thousand newer ones", () => {
    const oldest = invitations.create("operator");
    for (let more = 0; more < 1_000; more += 1) invitations.create("operator");

    expect(invitations.redeemToken(oldest.token)).toBe("void");
  });

  it("survives programs that request links twice a second: links have no code, and end with their token", () => {
    const printed = invitations.create("operator");
    for (let count = 0; count < 7_000; count += 1) {
      now += 500;
      expect(invitations.create("operator", { withCode: false }).code).toBeUndefined();
    }

    expect(invitations.redeemCode(printed.code ?? "")).toBe("operator");
  });
});

describe("a session", () => {
  test.each([
    { after: 30 * DAY - 1, isSignedIn: true },
    { after: 30 * DAY, isSignedIn: false },
  ])("that is $after ms old is signed in: $isSignedIn", async ({ after, isSignedIn }) => {
    const { token } = await sessions.begin("operator", AT);
    now += after;

    expect(sessions.read(token, HOST) !== undefined).toBe(isSignedIn);
    expect(sessions.list()).toHaveLength(isSignedIn ? 1 : 0);
  });

  it("is of one origin", async () => {
    const { token } = await sessions.begin("operator", AT);

    expect(sessions.read(token, HOST)).toMatchObject({ role: "operator" });
    for (const other of ["localhost:8081", "127.0.0.1:8082", "127.0.0.1", undefined]) {
      expect(sessions.read(token, other), other).toBeUndefined();
    }
  });

  it("is of one port that a console listens on, whatever host a request names", async () => {
    const { token } = await sessions.begin("operator", AT);
    const moved = await startedAt(8082, ADMIN);

    expect(moved.read(token, HOST)).toBeUndefined();
    expect(moved.list()).toHaveLength(1);
  });

  it("lets its browser check the console, over a restart and after its end, and no other console", async () => {
    const { proof } = await sessions.begin("operator", AT);
    const [id = "", key = ""] = proof.split(".");
    const right = createHmac("sha256", key).update("a nonce").digest("hex");

    expect(sessions.prove(id, "a nonce")).toBe(right);
    await sessions.end();
    expect((await started()).prove(id, "a nonce")).toBe(right);
    expect(sessions.prove(id, "another")).not.toBe(right);
    expect(sessions.prove("another", "a nonce")).not.toBe(right);
    const moved = await startedAt(8082, ADMIN);
    expect(moved.prove(id, "a nonce")).not.toBe(right);
  });

  it("holds over a restart, and not with another folder's file", async () => {
    const { token } = await sessions.begin("operator", AT);

    expect((await started()).read(token, HOST)).toMatchObject({ role: "operator" });
    await rm(join(folder, "console.json"));
    expect((await started()).read(token, HOST)).toBeUndefined();
  });

  it("begins though it can't be stored, and is stored with the next one", async () => {
    await refuseWrites();
    const { token } = await sessions.begin("operator", AT);
    expect(sessions.read(token, HOST)).toMatchObject({ role: "operator" });
    expect(unstored).toEqual([expect.stringContaining("no regular file")]);

    await acceptWrites();
    await sessions.begin("reader", AT);
    expect((await started()).read(token, HOST)).toMatchObject({ role: "operator" });
  });

  it("whose end can't be stored has ended, and its end is stored by the next try", async () => {
    const { token } = await sessions.begin("operator", AT);
    const before = await readFile(join(folder, "console.json"));
    await refuseWrites();
    await expect(sessions.end()).rejects.toThrow("no regular file");
    expect(sessions.read(token, HOST)).toBeUndefined();

    await acceptWrites();
    await writeFile(join(folder, "console.json"), before);
    expect(await sessions.end()).toBe(0);
    expect((await started()).read(token, HOST)).toBeUndefined();
  });

  it("begins though no file for it can be created", async () => {
    const file = await openSessionFile(join(folder, "missing"), ADMIN, onUnstored);
    const unsaved = openSessions(file, 8081, () => now, onUnstored);
    const { token } = await unsaved.begin("operator", AT);

    expect(unsaved.read(token, HOST)).toMatchObject({ role: "operator" });
    expect(unstored).toEqual(Array(2).fill(expect.stringContaining("ENOENT")));
  });

  it.each(["another admin token", undefined])(
    "ends when the admin token changes: to %s",
    async (changed) => {
      const { token } = await sessions.begin("operator", AT);
      const later = await startedAt(8081, changed);

      expect(later.read(token, HOST)).toBeUndefined();
      expect((await started()).read(token, HOST)).toBeUndefined();
    },
  );

  it("is none for a text that is no token of one", async () => {
    const { token } = await sessions.begin("operator", AT);
    const { id } = sessions.list()[0] ?? { id: "" };
    for (const other of [token.slice(1), `${token}A`, token.toLowerCase(), id, "", undefined]) {
      expect(sessions.read(other, HOST), other).toBeUndefined();
    }
  });

  it("is listed, and ended alone or with all others, at once and over a restart", async () => {
    const { token: first } = await sessions.begin("reader", AT);
    now += 1_000;
    const { token: second } = await sessions.begin("operator", AT);
    const { token: third } = await sessions.begin("operator", AT);
    const listed = sessions.list();
    expect(listed.map(({ role }) => role)).toEqual(["operator", "operator", "reader"]);
    expect(listed[2]).toEqual({
      id: expect.any(String),
      role: "reader",
      host: HOST,
      browser: "a browser",
      since: "2026-01-01T00:00:00.000Z",
      until: "2026-01-31T00:00:00.000Z",
    });
    expect(JSON.stringify(listed)).not.toContain(first);

    const ended: string[] = [];
    const one = sessions.read(first, HOST);
    if (one === undefined) throw new Error("the first session is not open");
    sessions.onEnd(one, () => ended.push("first"));
    expect(await sessions.end("no such id")).toBe(0);
    expect(await sessions.end(one.id)).toBe(1);
    expect(ended).toEqual(["first"]);
    expect(sessions.read(first, HOST)).toBeUndefined();
    expect((await started()).read(first, HOST)).toBeUndefined();
    expect((await started()).read(second, HOST)).toBeDefined();
    expect(await sessions.end()).toBe(2);
    expect((await started()).read(third, HOST)).toBeUndefined();
  });

  it("of a reader is replaced by one of an operator, with another token", async () => {
    const { token } = await sessions.begin("reader", AT);
    const reader = sessions.read(token, HOST);
    if (reader === undefined) throw new Error("the reader is not signed in");
    const promoted = await sessions.promote(reader);

    expect(sessions.read(promoted?.token, HOST)).toMatchObject({ role: "operator" });
    expect(sessions.read(token, HOST)).toBeUndefined();
    expect(await sessions.promote(reader)).toBeUndefined();
  });

  it("of a reader is valid until the new one is stored, and not after a restart", async () => {
    const { token } = await sessions.begin("reader", AT);
    const reader = sessions.read(token, HOST);
    if (reader === undefined) throw new Error("the reader is not signed in");
    const promoting = sessions.promote(reader);
    // Another sign-in is stored at the same time.
    const signingIn = sessions.begin("operator", AT);

    expect(sessions.read(token, HOST)).toEqual(reader);
    const promoted = await promoting;
    await signingIn;
    expect(sessions.read(token, HOST)).toBeUndefined();
    const restarted = await started();
    expect(restarted.read(token, HOST)).toBeUndefined();
    expect(restarted.read(promoted?.token, HOST)).toMatchObject({ role: "operator" });
  });

  it("of a reader is not replaced if it is ended meanwhile", async () => {
    const { token } = await sessions.begin("reader", AT);
    const reader = sessions.read(token, HOST);
    if (reader === undefined) throw new Error("the reader is not signed in");
    const promoting = sessions.promote(reader);
    await sessions.end(reader.id);

    expect(await promoting).toBeUndefined();
    expect(sessions.list()).toEqual([]);
    expect((await started()).list()).toEqual([]);
  });

  it("gives way to a hundred newer ones", async () => {
    const { token: oldest } = await sessions.begin("operator", AT);
    for (let more = 0; more < 100; more += 1) await sessions.begin("operator", AT);

    expect(sessions.list()).toHaveLength(100);
    expect(sessions.read(oldest, HOST)).toBeUndefined();
  });
});

describe("the file of the sessions", () => {
  const file = () => join(folder, "console.json");

  it("is its owner's only, and has no token in it", async () => {
    const { token } = await sessions.begin("operator", AT);
    const text = await readFile(file(), "utf8");

    expect(((await stat(file())).mode & 0o777).toString(8)).toBe("600");
    expect(JSON.parse(text).sessions).toHaveLength(1);
    for (const secret of [token, ADMIN]) expect(text).not.toContain(secret);
  });

  it("stays if nothing has changed, and is created again if it can't be read", async () => {
    await sessions.begin("operator", AT);
    const before = await readFile(file(), "utf8");
    await started();
    expect(await readFile(file(), "utf8")).toBe(before);

    for (const broken of ["{", '{"secret":"of an earlier version","used":[]}']) {
      await writeFile(file(), broken);
      await started();
      expect(JSON.parse(await readFile(file(), "utf8")).sessions).toEqual([]);
    }
  });
});
