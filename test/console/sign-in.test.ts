import { request } from "node:http";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from "vitest";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Browser } from "../support/browser.ts";
import { openLog } from "../../src/runtime/log.ts";
import { type Console, serveConsole } from "../../src/console/serve-console.ts";
import { COMMANDS, QUESTIONS } from "../../src/console/operations/operations.ts";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { postForm, postToken, signedInWith, signInBy, tokenOf } from "./signed-in.ts";

let sandbox: RunningSandbox;
const served: Console[] = [];
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterEach(async () => {
  for (const one of served.splice(0)) await one.close();
});
afterAll(() => sandbox.close());

const ADMIN_TOKEN = "the admin's long token";

async function open(
  linkRole: "reader" | "operator" = "operator",
  folder?: string,
  { port = 0, adminToken = ADMIN_TOKEN } = {},
): Promise<Console> {
  const { url: baseUrl, adsUrl, control } = sandbox;
  const one = await serveConsole({
    at: { host: "127.0.0.1", port },
    log: openLog({ level: "silent" }),
    linkRole,
    adminToken,
    sandbox: { baseUrl, adsUrl, control },
    ...(folder !== undefined && { folder }),
  });
  served.push(one);
  return one;
}

/** Signs in a new browser with an invitation. */
async function signedIn(one: Console) {
  const browser = await signInBy((await one.invite()).url);
  const session: { id: string; role: string } = JSON.parse(
    (await browser.get("/_console/session")).text,
  );
  return { ...browser, session };
}

const FREEZE = { frozen: false };

/** Returns the status of a request with exactly these headers; `fetch` would set some of them itself. */
function statusOf(
  url: string,
  { method = "GET", headers, body }: { method?: string; headers: object; body?: object },
): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers: { ...headers } })
      .once("response", (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      })
      .once("error", reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe("an invitation", () => {
  it("signs in one browser by its URL, and no second one", async () => {
    const one = await open();
    const { url } = await one.invite();
    const first = await postToken(url);
    expect(first.status).toBe(200);
    const { get } = signedInWith(one.url, tokenOf(first) ?? "");
    expect((await get("/_console/session")).status).toBe(200);

    const second = await postToken(url);
    expect(second.status).toBe(401);
    expect(second.text).toContain("it was used before");
    expect(tokenOf(second)).toBeUndefined();
  });

  it("signs one browser in by its code, on the console's own page", async () => {
    const one = await open();
    const { page, code = "" } = await one.invite({ to: "/traces" });
    expect(page).toBe(`${one.url}/sign-in?to=%2Ftraces`);
    const browser = new Browser();
    const form = await browser.open(page);
    const press = () =>
      browser.press(form, "Sign in", { "Code from the terminal": code }, { origin: one.url });
    const came = await press();
    expect(came.status).toBe(200);
    expect(tokenOf(came)).toBeDefined();
    expect(came.dom.querySelector("#signed-in")?.getAttribute("data-to")).toBe("/traces");
    expect((await press()).status).toBe(401);
  });

  it("sets no cookie", async () => {
    const one = await open();
    const came = await postToken((await one.invite()).url);
    expect(came.headers.getSetCookie()).toEqual([]);
    expect(came.headers.get("cache-control")).toBe("no-store");
  });

  it.each([
    ["made up", { token: "a-made-up-token" }],
    ["empty", { token: "" }],
    ["a wrong code", { code: "0000-0000" }],
    ["nothing", {}],
  ])("that is %s signs nobody in", async (_, fields) => {
    const one = await open();
    await one.invite();
    const came = await postForm(one.url, fields);
    expect([came.status, tokenOf(came)]).toEqual([401, undefined]);
  });

  it("of another console signs no browser in", async () => {
    const [one, other] = [await open(), await open()];
    const { url } = await other.invite();
    expect((await postToken(url.replace(other.url, one.url))).status).toBe(401);
  });

  it("is posted by a file's page, which has no origin, and its code by the console's own page only", async () => {
    const one = await open();
    const { code = "", url } = await one.invite();
    const token = url.split("#token=")[1] ?? "";
    for (const origin of ["https://evil.example", "http://127.0.0.1:1"]) {
      expect((await postForm(one.url, { token }, { origin })).status).toBe(403);
    }
    for (const origin of ["https://evil.example", "null"]) {
      expect((await postForm(one.url, { code }, { origin })).status).toBe(403);
    }
    expect((await postForm(one.url, { token, code }, { origin: "null" })).status).toBe(200);
  });

  it.each([
    ["//evil.example/chat", "/events"],
    ["https://evil.example/chat", "/events"],
    ["javascript:alert(1)", "/events"],
    ["/chatty", "/events"],
    ["/traces/4?tab=rules", "/traces/4?tab=rules"],
  ])("that asks for %s leads to %s", async (to, led) => {
    const one = await open();
    const came = await postToken((await one.invite()).url, { to });
    expect(came.dom.querySelector("#signed-in")?.getAttribute("data-to")).toBe(led);
  });
});

describe("the file of an invitation", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "sign-in-file-"));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const files = async () => (await readdir(folder)).filter((name) => name.endsWith(".html"));

  it("is its owner's only, has the token in its body, and none in its name", async () => {
    const one = await open("operator", folder);
    const { file = "", url } = await one.invite({ file: true, to: "/faults" });
    const path = fileURLToPath(file);
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe("600");
    const text = await readFile(path, "utf8");
    const token = url.split("#token=")[1] ?? "none";
    expect(text).toContain(`value="${token}"`);
    expect(file).not.toContain(token);
    expect(text).toContain(`form-action ${one.url}`);
  });

  it("is removed once its invitation was used", async () => {
    const one = await open("operator", folder);
    const { url } = await one.invite({ file: true });
    expect(await files()).toHaveLength(1);
    await postToken(url);
    expect(await files()).toEqual([]);
  });

  it("is left out if it can't be written: the code signs in", async () => {
    const one = await open("operator", folder);
    await rm(folder, { recursive: true });
    const { file, page, code = "" } = await one.invite({ file: true });
    await mkdir(folder);

    expect(file).toBeUndefined();
    expect(tokenOf(await postForm(new URL(page).origin, { code }))).toEqual(expect.any(String));
  });

  it("is removed when the console ends, and one that a killed console left at the next start", async () => {
    const one = await open("operator", folder);
    await one.invite({ file: true });
    const [name = ""] = await files();
    await one.close();
    expect(await files()).toEqual([]);

    await writeFile(join(folder, name), "left");
    await writeFile(join(folder, "another.html"), "mine");
    await open("operator", folder);
    expect(await files()).toEqual(["another.html"]);
  });
});

describe("a browser that is not signed in", () => {
  it.each([
    "/_console/session",
    "/_console/events",
    "/_console/ask/status",
    "/_console/sandbox/users",
  ])("gets nothing of %s", async (path) => {
    const one = await open();
    const { token } = await signedIn(one);
    expect((await new Browser().open(`${one.url}${path}`)).status).toBe(401);
    for (const headers of [
      { cookie: `answerback-session=${token}` },
      bearer(""),
      bearer("AAAA"),
      { authorization: `Basic ${token}` },
    ]) {
      expect(await statusOf(`${one.url}${path}`, { headers })).toBe(401);
    }
  });

  it("gets an empty document for every path", async () => {
    const one = await open();
    const [chat, trace] = await Promise.all(
      ["/chat", "/traces/4"].map((path) => new Browser().open(`${one.url}${path}`)),
    );
    expect(chat?.dom.querySelector("body")?.text.trim()).toBe(
      trace?.dom.querySelector("body")?.text.trim(),
    );
  });

  it("reads how to get in", async () => {
    const one = await open();
    const { text } = await new Browser().open(`${one.url}/sign-in`);
    expect(text).toContain("npx answerback open");
  });
});

describe("a session", () => {
  it("is of one origin: its token is none at another name of this machine", async () => {
    const one = await open();
    const { token } = await signedIn(one);
    const { port } = new URL(one.url);
    const statusFor = (host: string) =>
      statusOf(`${one.url}/_console/session`, { headers: { host, ...bearer(token) } });
    expect(await statusFor(`127.0.0.1:${port}`)).toBe(200);
    for (const host of [`localhost:${port}`, `[::1]:${port}`, "127.0.0.1:1"]) {
      expect(await statusFor(host), host).toBe(401);
    }
  });

  it("outlasts a restart of its console, and ends with another admin token", async () => {
    const folder = await mkdtemp(join(tmpdir(), "console-sessions-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const first = await open("operator", folder);
    const port = Number(new URL(first.url).port);
    const { get } = await signedIn(first);
    const status = async () => (await get("/_console/session")).status;
    await first.close();
    const again = await open("operator", folder, { port });
    expect(await status()).toBe(200);
    await again.close();
    await open("operator", folder, { port, adminToken: "a changed token of the admin" });
    expect(await status()).toBe(401);
  });

  it("ends by signing out, and no other with it", async () => {
    const one = await open("reader");
    const [mine, other] = [await signedIn(one), await signedIn(one)];
    expect((await mine.post("/_console/sign-out", {})).status).toBe(200);
    expect((await mine.get("/_console/session")).status).toBe(401);
    expect((await other.get("/_console/session")).status).toBe(200);
  });

  it("is ended by an operator, and its stream of events with it", async () => {
    const one = await open();
    const [mine, other] = [await signedIn(one), await signedIn(one)];
    const stream = await fetch(`${one.url}/_console/events`, { headers: bearer(other.token) });
    const listed = await mine.post("/_console/ask/consoleSessions", {});
    const ids: readonly { id: string }[] = JSON.parse(listed.text);
    expect(ids.map(({ id }) => id)).toEqual([other.session.id, mine.session.id]);

    expect((await mine.post("/_console/do/endSessions", {})).status).toBe(400);
    const ended = await mine.post("/_console/do/endSessions", { id: other.session.id });
    expect(JSON.parse(ended.text)).toEqual({ ended: 1 });
    await expect(stream.text()).rejects.toThrow("terminated");
    expect((await other.get("/_console/session")).status).toBe(401);
    await mine.post("/_console/do/endSessions", { all: true });
    expect((await mine.get("/_console/session")).status).toBe(401);
  });
});

describe("a command", () => {
  it("is done for the console's own page", async () => {
    const { post } = await signedIn(await open());
    expect((await post("/_console/sandbox/clock", FREEZE)).status).toBe(200);
  });

  it.each([
    ["from another site's page", { origin: "https://evil.example" }],
    ["from another port's page", { origin: "http://127.0.0.1:1" }],
    ["that another site's page began", { "sec-fetch-site": "cross-site" }],
    ["that another port's page began", { "sec-fetch-site": "same-site" }],
  ])("%s is refused", async (_, headers) => {
    const { post } = await signedIn(await open());
    expect((await post("/_console/sandbox/clock", FREEZE, headers)).status).toBe(403);
  });

  it.each([
    ["from the page by another name of this machine", (port: string) => `localhost:${port}`],
    ["from the page by its address", (port: string) => `127.0.0.1:${port}`],
  ])("%s is done, and not from a page at another of these names", async (_, hostAt) => {
    const one = await open();
    const { port } = new URL(one.url);
    const host = hostAt(port);
    const { token } = await signInBy((await one.invite()).url.replace(/127[^/]*/, host));
    const statusFor = (origin: string) => {
      const headers = { host, origin, ...bearer(token), "content-type": "application/json" };
      const path = `${one.url}/_console/sandbox/clock`;
      return statusOf(path, { method: "POST", headers, body: FREEZE });
    };

    expect(await statusFor(`http://${host}`)).toBe(200);
    expect(await statusFor(`https://${host}`)).toBe(403);
    expect(await statusFor(`http://[::1]:${port}`)).toBe(403);
    expect(await statusFor("null")).toBe(403);
  });

  it.each([
    ["began", { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" }],
    ["did not begin, but the person", { "sec-fetch-site": "none" }],
  ])("that the console's own page %s is done", async (_, headers) => {
    const { post } = await signedIn(await open());
    expect((await post("/_console/sandbox/clock", FREEZE, headers)).status).toBe(200);
  });

  it("without an Origin is refused", async () => {
    const one = await open();
    const headers = bearer((await signedIn(one)).token);
    const path = `${one.url}/_console/sandbox/clock`;
    expect(await statusOf(path, { method: "POST", headers, body: {} })).toBe(403);
  });
});

it("a name of another's that leads here is refused, signed in or not", async () => {
  const one = await open();
  const { token } = await signedIn(one);
  const { port } = new URL(one.url);
  const statusFor = (path: string, host: string) =>
    statusOf(`${one.url}${path}`, { headers: { host, ...bearer(token) } });
  for (const path of ["/_console/session", "/sign-in", "/chat"]) {
    expect(await statusFor(path, `rebound.example:${port}`)).toBe(403);
    expect(await statusFor(path, `127.0.0.1:${port}`)).toBe(200);
  }
});

it("no page of another's may show the console, and it loads nothing from elsewhere", async () => {
  const one = await open();
  for (const path of ["/chat", "/sign-in"]) {
    const { headers, text } = await new Browser().open(`${one.url}${path}`);
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("content-security-policy")).toMatch(
      /default-src 'none'.*frame-ancestors 'none'/,
    );
    expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
  }
});

describe("a reader", () => {
  it("may read, and changes nothing until the admin token is entered", async () => {
    const one = await open("reader");
    const { get, session, post } = await signedIn(one);
    expect(session).toMatchObject({ role: "reader", canUnlock: true });
    expect(session).not.toHaveProperty("sandbox");
    const read = await get("/_console/sandbox/exchanges");
    expect(read.status).toBe(403);
    expect(read.text).toContain("unlock the console");
    const messages = encodeURIComponent(JSON.stringify({ path: "/2/dm_events", as: "app" }));
    expect((await get(`/_console/ask/askPlatform?with=${messages}`)).status).toBe(404);
    const refused = await post("/_console/sandbox/clock", FREEZE);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("unlock the console");

    expect((await post("/_console/unlock", { token: "a guess of the token" })).status).toBe(403);
    const unlocked = await post("/_console/unlock", { token: ADMIN_TOKEN });
    expect(unlocked.status).toBe(200);
    // unlocking as an operator invalidates the token with the role `reader`
    expect((await get("/_console/session")).status).toBe(401);
    const operator = signedInWith(one.url, JSON.parse(unlocked.text).token);
    expect(JSON.parse((await operator.get("/_console/session")).text)).toMatchObject({
      role: "operator",
      canUnlock: false,
    });
    expect((await operator.get("/_console/sandbox/exchanges")).status).toBe(200);
  });
});

describe("an operation of the page", () => {
  /** Request that no operation accepts. It is refused only after the check of the role. */
  const NOTHING = { no_such_key: 1 };

  it.each(Object.keys(COMMANDS))(
    "%s is done for an operator, and not for a reader",
    async (name) => {
      const path = `/_console/do/${name}`;
      const operator = await signedIn(await open());
      const reader = await signedIn(await open("reader"));

      expect((await operator.post(path, NOTHING)).status).toBe(400);
      expect((await reader.post(path, NOTHING)).status).toBe(403);
      expect((await reader.get(path)).status).toBe(404);
    },
  );

  it.each(Object.keys(QUESTIONS))("%s is answered for no other page", async (name) => {
    const { get, post } = await signedIn(await open());
    const path = `/_console/ask/${name}`;
    const requestText = encodeURIComponent(JSON.stringify(NOTHING));

    expect((await get(`${path}?with=${requestText}`)).status).toBe(400);
    expect((await post(path, NOTHING)).status).toBe(400);
    expect((await post(path, NOTHING, { origin: "https://evil.example" })).status).toBe(403);
    expect((await post(path, NOTHING, { authorization: "" })).status).toBe(401);
  });

  it.each(["toString", "constructor", "no-such"])(
    "is there by its own name only: %s",
    async (name) => {
      const { post } = await signedIn(await open());
      expect((await post(`/_console/do/${name}`, {})).status).toBe(404);
    },
  );
});

describe("a page that another site leads to", () => {
  it.each([
    ["opens for who follows a link", "GET", { "sec-fetch-mode": "navigate" }, 200],
    ["does not open in a frame's script", "GET", { "sec-fetch-mode": "no-cors" }, 403],
    ["takes no form", "POST", { "sec-fetch-mode": "navigate" }, 403],
  ])("%s", async (_, method, headers, status) => {
    const one = await open();
    const { token } = await signedIn(one);
    const own = { ...bearer(token), "sec-fetch-site": "cross-site", ...headers };
    expect(await statusOf(`${one.url}/events`, { method, headers: own })).toBe(status);
  });
});

it("no token unlocks a console without an admin token in the settings", async () => {
  const one = await serveConsole({
    at: { host: "127.0.0.1", port: 0 },
    log: openLog({ level: "silent" }),
    linkRole: "reader",
  });
  served.push(one);
  const { session, post } = await signedIn(one);

  expect(session).toMatchObject({ role: "reader", canUnlock: false });
  for (const token of ["", "undefined", ADMIN_TOKEN]) {
    expect((await post("/_console/unlock", { token })).status).toBe(403);
  }
});

it("the control token of the sandbox is never sent", async () => {
  const one = await open();
  const { get } = await signedIn(one);
  const session = await get("/_console/session");
  expect(session.text).not.toContain(sandbox.control.token);
});

it("a console at an address of another machine is refused, with the setting's name", async () => {
  // This address is reserved for documentation (RFC 5737), so no machine has it.
  const elsewhere = serveConsole({
    at: { host: "192.0.2.1", port: 80 },
    log: openLog({ level: "silent" }),
    linkRole: "reader",
  });

  await expect(elsewhere).rejects.toMatchObject({
    message: "the console can't be served: 192.0.2.1 is not an address of this machine",
    hint: "set console.listen to an address of this machine, such as 127.0.0.1:8080",
    retryable: false,
  });
});
