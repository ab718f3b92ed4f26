// @module-tag browser
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { begin } from "../support/command-line.ts";
import { type TestBrowser, testBrowser } from "../support/chromium.ts";
import { when } from "../support/when.ts";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";
import { signInPage } from "./signed-in.ts";

const execute = promisify(execFile);
const NOBODY = 65_534;

let rig: ConsoleRig;
let browser: TestBrowser;
beforeAll(async () => {
  rig = await openConsoleRig();
  browser = await testBrowser();
});
afterAll(async () => {
  await browser.close();
  await rig.close();
});

/** Result of attempts by another user of this machine to sign in to the console from the folder of the sign-in file. */
interface Attempt {
  /** Command lines and environments of processes, as far as they contain `sign-in`. */
  readonly commandLines: readonly string[];
  /** Names of files in the folder that the other user could read. */
  readonly read: readonly string[];
  /** Number of tokens and codes that were tried. */
  readonly tried: number;
  /** Number of sessions that were obtained. */
  readonly sessions: number;
  /** HTTP statuses of the other user's requests without a session. */
  readonly statuses: readonly number[];
}

/**
 * Program that another user runs. It reads all command lines and all files of the folder, and tries each token that it
 * finds.
 */
const ATTACK = `
  const { readdirSync, readFileSync } = require("node:fs");
  const origin = process.argv[1];
  const textOf = (path) => { try { return readFileSync(path, "utf8"); } catch { return undefined; } };
  const shown = readdirSync("/proc").filter((name) => /^\\d+$/.test(name) && name !== String(process.pid)).flatMap((pid) =>
    ["cmdline", "environ"].map((file) => textOf("/proc/" + pid + "/" + file) ?? ""));
  const files = readdirSync(".").map((name) => [name, textOf(name)]);
  const all = [...shown, ...files.map(([, text]) => text ?? "")].join("\\n");
  const tokens = [...new Set(all.match(/(?<![\\w-])[\\w-]{43}(?![\\w-])/g))];
  const codes = [...new Set(all.match(/\\b[0-9A-Z]{4}-[0-9A-Z]{4}\\b/g))];
  const post = async (fields) => {
    const answer = await fetch(origin + "/sign-in", {
      method: "POST", body: new URLSearchParams(fields), headers: { origin },
    });
    return (await answer.text()).includes("data-token=");
  };
  const got = [];
  const main = async () => {
    for (const token of tokens) got.push(await post({ token }));
    for (const code of codes) got.push(await post({ code }));
    const statuses = [];
    for (const path of ["session", "events", "ask/status", "ask/consoleSessions", "sandbox/users"]) {
      statuses.push((await fetch(origin + "/_console/" + path)).status);
    }
    console.log(JSON.stringify({
      commandLines: shown.filter((text) => /sign-in/.test(text)).map((text) => text.split("\\0").join(" ").trim()),
      read: files.flatMap(([name, text]) => (text === undefined ? [] : [name])),
      tried: got.length,
      sessions: got.filter(Boolean).length,
      statuses,
    }));
  };
  void main();
`;

/** Runs {@link ATTACK} as the other user. Its current folder is entered with the rights of the first user. */
async function attack(): Promise<Attempt> {
  const options = { cwd: join(rig.folder, "data"), uid: NOBODY, gid: NOBODY };
  const { stdout } = await execute(process.execPath, ["-e", ATTACK, rig.url], options);
  return JSON.parse(stdout);
}

/** Ends a process that the test has started. */
async function ended(child: ChildProcess): Promise<void> {
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await exit;
}

/**
 * Creates a folder with a program `xdg-open` in it. The program records its argument, and keeps running with it on its
 * command line.
 */
async function opener(): Promise<{
  readonly folder: string;
  readonly opened: () => Promise<string>;
}> {
  const folder = await mkdtemp(join(tmpdir(), "answerback-opener-"));
  const [note, pid] = [join(folder, "opened"), join(folder, "pid")];
  const program = join(folder, "xdg-open");
  const wait =
    'require("node:fs").writeFileSync(process.argv[1], process.argv[2]); setInterval(() => {}, 1000)';
  await writeFile(
    program,
    `#!/bin/sh\necho $$ > ${pid}.next && mv ${pid}.next ${pid}\nexec ${process.execPath} -e '${wait}' ${note} "$1"\n`,
  );
  await chmod(program, 0o755);
  onTestFinished(async () => {
    process.kill(Number(await readFile(pid, "utf8")), "SIGKILL");
    await rm(folder, { recursive: true });
  });
  const opened = () =>
    when(async () => {
      const text = existsSync(note) ? await readFile(note, "utf8") : "";
      return text === "" ? undefined : text;
    });
  return { folder, opened };
}

describe("another user of the machine", () => {
  it(
    "sees the command that opens the browser, and does not get in",
    { tags: ["second-user", "linux"] },
    async () => {
      const { folder, opened } = await opener();
      const data = join(rig.folder, "data");
      vi.stubEnv("PATH", `${folder}:${process.env["PATH"] ?? ""}`);
      onTestFinished(() => void vi.unstubAllEnvs());
      // makes the folder readable for all users: the modes of its files must protect them
      await chmod(data, 0o755);
      await writeFile(join(data, "for-all"), "readable");
      const { out } = await begin({ cwd: rig.folder, env: { DISPLAY: ":0" } }, ["open"]).ended;
      const url = await opened();
      expect(url).toMatch(/^file:\/\/.*\/data\/sign-in-[0-9a-f]{24}\.html$/);
      const file = fileURLToPath(url);
      expect(existsSync(file)).toBe(true);

      const before = await attack();
      expect(before.commandLines.join("\n")).toContain(url);
      expect(before.commandLines.join("\n")).not.toMatch(/token=/);
      expect(before.read).toContain("for-all");
      expect(before.read).not.toContain(basename(file));
      expect(before.read).not.toContain("console.json");
      expect(before.sessions).toBe(0);
      expect(new Set(before.statuses)).toEqual(new Set([401]));

      // the owner's browser opens the sign-in file: it is signed in, can act, and the file is deleted
      const page = await browser.context.newPage();
      await page.goto(url);
      await page.waitForURL(`${rig.url}/conversations`);
      await page.locator("header").getByText("connected", { exact: true }).waitFor();
      expect(existsSync(file)).toBe(false);
      await page.getByRole("link", { name: "Chat", exact: true }).click();
      await page
        .getByRole("group", { name: "Suggestions" })
        .getByRole("button", { name: "hours", exact: true })
        .click();
      await page.getByRole("link", { name: /We are open from 9 to 17/ }).waitFor();
      expect(page.url()).toBe(`${rig.url}/chat`);

      const after = await attack();
      expect([after.sessions, new Set(after.statuses)]).toEqual([0, new Set([401])]);

      // the code that the terminal printed is invalid once the file has been used
      const [, code = ""] = /^code (\S+)$/m.exec(out) ?? [];
      await page.goto(`${rig.url}/sign-in`);
      await page.waitForURL(`${rig.url}/conversations`);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByLabel("Code from the terminal").fill(code);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").getByText("can't be used").waitFor();
      await page.close();
    },
  );

  it("gets no token by listening at the console's port while the bot is stopped", async () => {
    const page = await browser.context.newPage();
    await signInPage(page, await rig.link());
    await page.locator("header").getByText("connected", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Chat", exact: true }).click();
    await page.getByRole("textbox", { name: "Message" }).first().waitFor();
    await rig.stop();
    const requests: string[] = [];
    const tokens: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      requests.push(new URL(request.url ?? "", rig.url).pathname);
      tokens.push(request.headers.authorization);
      response.setHeader("content-type", "application/json").end("{}");
    });
    await new Promise<void>((resolve) => {
      other.listen(Number(new URL(rig.url).port), "127.0.0.1", resolve);
    });

    const message = page.getByRole("textbox", { name: "Message" }).first();
    await message.fill("to the other server");
    await message.press("Enter");
    // the page has twice requested proof that this is its console, and has tried to send the message
    await when(async () => (requests.length > 2 ? true : undefined));
    expect(new Set(requests)).toEqual(new Set(["/_console/proof"]));
    expect(tokens.filter((token) => token !== undefined)).toEqual([]);

    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
    await rig.start();
    await page.locator("header").getByText("connected", { exact: true }).waitFor();
    await page.close();
  });

  it("gets no token from a browser that can't check who answers: such a browser is not signed in", async () => {
    const page = await browser.context.newPage();
    const content =
      "localStorage.clear(); Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })";
    await page.addInitScript({ content });
    await page.goto(await rig.link());

    await page.getByRole("alert").getByText("Open the console in a current version of").waitFor();
    expect(await page.evaluate("localStorage.getItem('answerback-session')")).toBeNull();
    await page.close();
  });

  it(
    "gets in by a token on a command line: the attack is able to",
    { tags: ["second-user", "linux"] },
    async () => {
      await chmod(join(rig.folder, "data"), 0o755);
      const program = spawn(process.execPath, [
        "-e",
        "setInterval(() => {}, 1000)",
        await rig.link(),
      ]);
      onTestFinished(() => ended(program));
      expect((await attack()).sessions).toBe(1);
    },
  );
});

describe("a server at another port of this machine", () => {
  /** Headers of the received requests. */
  const got: IncomingHttpHeaders[] = [];
  let server: Server;
  beforeAll(async () => {
    server = createServer((request, response) => {
      got.push(request.headers);
      response.setHeader("content-type", "text/html").end("<!doctype html><title>hostile</title>");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Requests that a hostile page makes to the console, as JavaScript source that is evaluated in that page. */
  const ATTACKS: Readonly<Record<string, string>> = {
    "reads by fetch": `fetch(url + "/_console/session", {credentials: "include"}).then((answer) => answer.text())`,
    "reads without asking whether it may": `fetch(url + "/_console/session", {credentials: "include", mode: "no-cors"}).then((answer) => answer.text())`,
    "sends a token of its own": `fetch(url + "/_console/session", {headers: {authorization: "Bearer guess"}}).then((answer) => answer.text())`,
    "pauses by fetch": `fetch(url + "/_console/do/pause", {method: "POST", credentials: "include", mode: "no-cors", body: "{}"}).then((answer) => answer.text())`,
    "pauses by a form": `sent("/_console/do/pause")`,
    "signs in by a form": `sent("/sign-in")`,
    "signs out by a form": `sent("/_console/sign-out")`,
    "reads a frame": `new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.src = url + "/chat";
      frame.onload = () => { try { resolve(frame.contentDocument.body.innerText); } catch (error) { resolve(String(error)); } };
      document.body.append(frame);
    })`,
    "runs an answer as a script": `tagged("/_console/ask/status")`,
    "runs the page's program": `tagged("/_console/assets/main.js")`,
    "reads a window's storage": `new Promise((resolve) => {
      const opened = window.open(url + "/chat");
      // until the console's page is there, the window is this page's own
      setInterval(() => { try { opened.localStorage; } catch (error) { resolve(String(error)); } }, 20);
    })`,
    "reads its own storage": `Promise.resolve(localStorage.getItem("answerback-session"))`,
    "follows events": `new Promise((resolve) => {
      const source = new EventSource(url + "/_console/events", {withCredentials: true});
      source.onopen = () => resolve("hello");
      source.onerror = () => { source.close(); resolve("refused"); };
    })`,
  };
  const HELPERS = `
    const sent = (path) => new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.name = "of " + path;
      document.body.append(frame);
      const form = document.createElement("form");
      Object.assign(form, {method: "post", action: url + path, target: frame.name});
      form.innerHTML = '<input name="code" value="0000-0000"><input name="token" value="a-guess">';
      document.body.append(form);
      frame.onload = () => { try { resolve(frame.contentDocument.body.innerText); } catch (error) { resolve(String(error)); } };
      form.submit();
    });
    const tagged = (path) => new Promise((resolve) => {
      const script = document.createElement("script");
      script.onload = () => resolve("ran");
      script.onerror = () => resolve("refused");
      script.src = url + path;
      document.body.append(script);
    });
  `;

  it.each(["127.0.0.1", "localhost"])(
    "gets no cookie, reads nothing and changes nothing, as %s",
    async (name) => {
      const { port } = Object(server.address()) as AddressInfo;
      const own = await browser.context.newPage();
      await signInPage(own, await rig.link());
      const page = await browser.context.newPage();
      await page.goto(`http://${name}:${port}/`);
      const results: Record<string, unknown> = {};
      for (const [attempt, script] of Object.entries(ATTACKS)) {
        results[attempt] = await page.evaluate(
          `(() => { const url = ${JSON.stringify(rig.url)}; ${HELPERS}
            return Promise.resolve().then(() => ${script}).catch((error) => "refused: " + error.name); })()`,
        );
      }

      const fetched = "refused: TypeError";
      expect(results).toEqual({
        "reads by fetch": fetched,
        "reads without asking whether it may": fetched,
        "sends a token of its own": fetched,
        "pauses by fetch": fetched,
        "pauses by a form": expect.stringContaining("TypeError"),
        "signs in by a form": expect.stringContaining("TypeError"),
        "signs out by a form": expect.stringContaining("TypeError"),
        "reads a frame": expect.stringContaining("TypeError"),
        "runs an answer as a script": "refused",
        "runs the page's program": "refused",
        "reads a window's storage": expect.stringContaining("Error"),
        "reads its own storage": null,
        "follows events": "refused",
      });
      expect(got.length).toBeGreaterThan(0);
      expect(got.filter(({ cookie, authorization }) => cookie ?? authorization)).toEqual([]);
      expect(await browser.context.cookies()).toEqual([]);
      const { paused } = await rig.runtime().status();
      expect(paused).toEqual([]);

      // the other tab is still signed in to its console, and may pause the bot
      await own.reload();
      await own.locator("header").getByText("connected", { exact: true }).waitFor();
      await page.close();
      await own.close();
    },
  );
});
