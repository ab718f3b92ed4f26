// @module-tag browser
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { run } from "../support/command-line.ts";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";
import { signInBy } from "./signed-in.ts";

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig();
});
afterAll(() => rig.close());
beforeEach(async () => {
  await open("--revoke");
});

const open = (...args: readonly string[]) => run(rig.folder, "open", ...args);

describe("answerback open", () => {
  it("prints an address and a code, and writes no file, by --print", async () => {
    const { code, out } = await open("traces", "--print");

    expect(code).toBe(0);
    expect(out).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/sign-in\?to=%2Ftraces\ncode [0-9A-Z]{4}-[0-9A-Z]{4}\n$/,
    );
    const files = await readdir(join(rig.folder, "data"));
    expect(files.filter((name) => name.endsWith(".html"))).toEqual([]);
  });

  it("prints a link that signs in by itself by --json", async () => {
    const { url }: { url: string } = JSON.parse((await open("--json")).out);
    const { get } = await signInBy(url);
    expect((await get("/_console/session")).status).toBe(200);
  });

  it("lists the browsers that are signed in by --sessions, and ends one or all by --revoke", async () => {
    expect((await open("--sessions")).out).toBe("no browser is signed in\n");
    const [first, second] = [await signInBy(await rig.link()), await signInBy(await rig.link())];
    const listed = await open("--sessions");
    expect(listed.out.match(/^[0-9a-f]{12} {2}operator {2}127\.0\.0\.1:\d+ /gm)).toHaveLength(2);
    const rows: readonly { id: string; role: string }[] = JSON.parse(
      (await open("--sessions", "--json")).out,
    );
    const [, { id } = { id: "" }] = rows;

    expect((await open("--revoke", id)).out).toBe("signed out 1 browser\n");
    const statuses = async () => [
      (await first.get("/_console/session")).status,
      (await second.get("/_console/session")).status,
    ];
    expect(await statuses()).toEqual([401, 200]);
    const again = await open("--revoke", id);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining(`no session ${id}`)]);
    expect((await open("--revoke", "--json")).out).toBe('{"ended":1}\n');
    expect(await statuses()).toEqual([401, 401]);
  });
});

describe("a page that is open", () => {
  it("leads to the sign-in page when its session is revoked, and back once the code is entered", async () => {
    const page = await rig.open("/log");
    await open("--revoke");
    await page.waitForURL(`${rig.url}/sign-in?to=%2Flog`);
    expect(await rig.violations(page, "light")).toEqual([]);

    const code = /^code (\S+)$/m.exec((await open("--print")).out)?.[1] ?? "";
    await page.getByLabel("Code from the terminal").fill(code.toLowerCase().replace("-", " "));
    await page.keyboard.press("Enter");
    await page.waitForURL(`${rig.url}/log`);
    await page.locator("header").getByText("connected", { exact: true }).waitFor();
    const own = page.getByRole("listitem").filter({ hasText: "this one" });
    await own.getByRole("button", { name: "Sign it out" }).waitFor();
    expect(await rig.violations(page, "dark")).toEqual([]);

    // a browser that is signed in gets no sign-in page
    const other = await page.context().newPage();
    await other.goto(`${rig.url}/sign-in?to=/rules`);
    await other.waitForURL(`${rig.url}/rules`);

    // signing out in one tab ends the session in all tabs
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.waitForURL(/\/sign-in/);
    await other.waitForURL(/\/sign-in/);
    expect((await open("--sessions")).out).toBe("no browser is signed in\n");
    expect(await page.evaluate("localStorage.length")).toBe(0);
    await Promise.all([page.close(), other.close()]);
  });
});
