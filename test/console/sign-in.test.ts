import { request } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Browser } from "../support/browser.ts";
import { openLog } from "../../src/runtime/log.ts";
import { type Console, serveConsole } from "../../src/console/serve-console.ts";
import { COMMANDS, QUESTIONS } from "../../src/console/operations/operations.ts";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";

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

async function open(linkRole: "reader" | "operator" = "operator"): Promise<Console> {
  const { url: baseUrl, adsUrl, control } = sandbox;
  const one = await serveConsole({
    at: { host: "127.0.0.1", port: 0 },
    log: openLog({ level: "silent" }),
    linkRole,
    adminToken: ADMIN_TOKEN,
    sandbox: { baseUrl, adsUrl, control },
  });
  served.push(one);
  return one;
}

/** A browser that came by a link, and what it sends with commands. */
async function signedIn(one: Console) {
  const browser = new Browser();
  await browser.open(one.link());
  const session: { commandToken: string; role: string } = JSON.parse(
    (await browser.open(`${one.url}/_console/session`)).text,
  );
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    browser.open(`${one.url}${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: {
        "content-type": "application/json",
        origin: one.url,
        "x-console-token": session.commandToken,
        ...headers,
      },
    });
  return { browser, session, post };
}

const FREEZE = { frozen: false };

/** Status of a request with exactly these headers: fetch chooses some of them itself. */
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

const cookieOf = ({ cookies }: Browser): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

describe("a link", () => {
  it("signs one browser in, and nobody after it", async () => {
    const one = await open();
    const link = one.link();
    const first = new Browser();
    const came = await first.open(link);
    expect(came.status).toBe(303);
    expect(came.headers.get("set-cookie")).toMatch(/HttpOnly; SameSite=Strict/);
    expect((await first.open(`${one.url}/chat`)).status).toBe(200);

    const second = await new Browser().open(link);
    expect(second.status).toBe(401);
    expect(second.text).toContain("This link does not sign in any more");
    expect((await first.open(link)).status).toBe(303);
  });

  it.each([
    [
      "made up",
      (link: string) => link.replace(/token=.*/, "token=link.operator.x.9999999999999.y"),
    ],
    ["changed", (link: string) => link.replace(".operator.", ".reader.")],
    ["of another console", async () => (await open()).link().replace(/:\d+/, "")],
  ])("that is %s signs nobody in", async (_, change) => {
    const one = await open();
    const token = new URL((await change(one.link())).replace("127.0.0.1/", "127.0.0.1:1/")).search;
    const came = await new Browser().open(`${one.url}/sign-in${token}`);
    expect(came.status).toBe(401);
    expect(came.headers.get("set-cookie")).toBeNull();
  });
});

describe("a browser that is not signed in", () => {
  it.each([
    "/chat",
    "/traces/4",
    "/_console/session",
    "/_console/events",
    "/_console/ask/status",
    "/_console/sandbox/users",
  ])("gets nothing of %s", async (path) => {
    const one = await open();
    expect((await new Browser().open(`${one.url}${path}`)).status).toBe(401);
  });

  it("is told how to get in", async () => {
    const one = await open();
    expect((await new Browser().open(`${one.url}/chat`)).text).toContain("npx answerback open");
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
    ["without its token", { "x-console-token": "" }],
    ["with another session's token", { "x-console-token": "AAAA" }],
  ])("%s is refused", async (_, headers) => {
    const { post } = await signedIn(await open());
    expect((await post("/_console/sandbox/clock", FREEZE, headers)).status).toBe(403);
  });

  it.each([
    ["from the page by another name of this machine", (port: string) => `localhost:${port}`],
    ["from the page by its address", (port: string) => `127.0.0.1:${port}`],
  ])("%s is done, and not from a page at another of these names", async (_, hostAt) => {
    const one = await open();
    const { browser, session } = await signedIn(one);
    const { port } = new URL(one.url);
    const host = hostAt(port);
    const asked = (origin: string) => {
      const headers = {
        host,
        origin,
        cookie: cookieOf(browser),
        "content-type": "application/json",
        "x-console-token": session.commandToken,
      };
      const path = `${one.url}/_console/sandbox/clock`;
      return statusOf(path, { method: "POST", headers, body: FREEZE });
    };

    expect(await asked(`http://${host}`)).toBe(200);
    expect(await asked(`https://${host}`)).toBe(403);
    expect(await asked(`http://[::1]:${port}`)).toBe(403);
    expect(await asked("null")).toBe(403);
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
    const { browser, session } = await signedIn(one);
    const headers = { cookie: cookieOf(browser), "x-console-token": session.commandToken };
    const path = `${one.url}/_console/sandbox/clock`;
    expect(await statusOf(path, { method: "POST", headers, body: {} })).toBe(403);
  });
});

it("a name of another's that leads here is refused, signed in or not", async () => {
  const one = await open();
  const { browser } = await signedIn(one);
  const { port } = new URL(one.url);
  const asked = (host: string) =>
    statusOf(`${one.url}/_console/session`, { headers: { host, cookie: cookieOf(browser) } });
  expect(await asked(`rebound.example:${port}`)).toBe(403);
  expect(await asked(`localhost:${port}`)).toBe(200);
});

it("no page of another's may show the console, and it loads nothing from elsewhere", async () => {
  const one = await open();
  const { browser } = await signedIn(one);
  const { headers, text } = await browser.open(`${one.url}/chat`);
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("content-security-policy")).toMatch(
    /default-src 'none'.*frame-ancestors 'none'/,
  );
  expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
});

describe("who only looks", () => {
  it("may ask, and changes nothing until the admin token is given", async () => {
    const one = await open("reader");
    const { browser, session, post } = await signedIn(one);
    expect(session).toMatchObject({ role: "reader", canUnlock: true });
    expect(session).not.toHaveProperty("sandbox");
    const read = await browser.open(`${one.url}/_console/sandbox/exchanges`);
    expect(read.status).toBe(403);
    expect(read.text).toContain("unlock the console");
    const messages = encodeURIComponent(JSON.stringify({ path: "/2/dm_events", as: "app" }));
    expect(
      (await browser.open(`${one.url}/_console/ask/askPlatform?with=${messages}`)).status,
    ).toBe(404);
    const refused = await post("/_console/sandbox/clock", FREEZE);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("unlock the console");

    expect((await post("/_console/unlock", { token: "a guess of the token" })).status).toBe(403);
    expect((await post("/_console/unlock", { token: ADMIN_TOKEN })).status).toBe(200);
    expect(JSON.parse((await browser.open(`${one.url}/_console/session`)).text)).toMatchObject({
      role: "operator",
      canUnlock: false,
    });
    expect((await browser.open(`${one.url}/_console/sandbox/exchanges`)).status).toBe(200);
  });
});

describe("an operation of the page", () => {
  /** No operation has this key: whatever it is, its request is refused once it is let through. */
  const NOTHING = { no_such_key: 1 };

  it.each(Object.keys(COMMANDS))(
    "%s is done for an operator, and not for a reader",
    async (name) => {
      const path = `/_console/do/${name}`;
      const operator = await signedIn(await open());
      const reader = await signedIn(await open("reader"));

      expect((await operator.post(path, NOTHING)).status).toBe(400);
      expect((await reader.post(path, NOTHING)).status).toBe(403);
      expect((await reader.browser.open(`${served.at(-1)?.url}${path}`)).status).toBe(404);
    },
  );

  it.each(Object.keys(QUESTIONS))(
    "%s is answered for a reader, and for no other page",
    async (name) => {
      const one = await open("reader");
      const { browser, post } = await signedIn(one);
      const path = `/_console/ask/${name}`;
      const given = encodeURIComponent(JSON.stringify(NOTHING));

      expect((await browser.open(`${one.url}${path}?with=${given}`)).status).toBe(400);
      expect((await post(path, NOTHING)).status).toBe(400);
      expect((await post(path, NOTHING, { origin: "https://evil.example" })).status).toBe(403);
      expect((await post(path, NOTHING, { "x-console-token": "" })).status).toBe(403);
    },
  );

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
    const { browser } = await signedIn(one);
    const own = { cookie: cookieOf(browser), "sec-fetch-site": "cross-site", ...headers };
    expect(await statusOf(`${one.url}/events`, { method, headers: own })).toBe(status);
  });
});

it("no token unlocks a console whose settings have none", async () => {
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

it("the control token of the sandbox is told to nobody", async () => {
  const one = await open();
  const { browser } = await signedIn(one);
  const session = await browser.open(`${one.url}/_console/session`);
  expect(session.text).not.toContain(sandbox.control.token);
});
