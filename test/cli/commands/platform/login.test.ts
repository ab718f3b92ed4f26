import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser } from "../../../support/browser.ts";
import { begin, type Running } from "../../../support/command-line.ts";
import { runningDev, type RunningDev } from "../../support/running-dev.ts";

const ADDRESS = /(http:\/\/127\.0\.0\.1:\d+\/oauth\/\S+)/;

describe("login", () => {
  let dev: RunningDev;
  beforeAll(async () => {
    dev = await runningDev();
    await dev.control.user("shop", { password: "secret shop" });
  });
  afterAll(() => dev.close());

  const login = (...args: readonly string[]): Running =>
    begin({ cwd: dev.folder }, ["login", "--no-open", "--port", "0", ...args]);
  const owner = { Username: "shop", Password: "secret shop" };

  it("links the account whose owner signs in and approves", async () => {
    const running = login("--json");
    const browser = new Browser();

    const consent = await browser.open(await running.until(ADDRESS));
    const granted = await browser.press(consent, "Sign in and authorize", owner);
    const back = await browser.open(granted.location?.href ?? "");
    const { code, out, err } = await running.ended;

    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      username: "shop",
      access_level: "read-write-directmessages",
    });
    expect(back.text).toContain("@shop is linked.");
    expect(back.text).toContain(JSON.parse(out).next);
    expect((await dev.run("accounts", "list")).out).toContain("@shop");
    expect((await dev.run("api", "GET", "/2/users/me", "--as", "@shop")).out).toContain('"shop"');
  });

  it("keeps no token in the clear", async () => {
    const { out } = await dev.run("accounts", "list", "--json");

    expect(out).not.toMatch(/token/i);
  });

  it("ends with 4 when the owner refuses, and links nothing", async () => {
    const running = login("--username", "ben");
    const browser = new Browser();

    const consent = await browser.open(await running.until(ADDRESS));
    const refused = await browser.press(consent, "Cancel");
    const back = await browser.open(refused.location?.href ?? "");
    const { code, err } = await running.ended;

    expect(code).toBe(4);
    expect(err).toContain("refused");
    expect(back.text).toContain("Nothing was linked.");
    expect((await dev.run("accounts", "list")).out).not.toContain("@ben");
  });

  it("refuses a callback that belongs to another log-in", async () => {
    const running = login();
    await running.until(ADDRESS);
    const app = await dev.control.get<{ callback_urls: string[] }>(`/apps/${dev.file.app.id}`);
    const callback = app.callback_urls.at(-1) ?? "";

    await fetch(`${callback}?oauth_token=strange&oauth_verifier=strange`);
    const { code, err } = await running.ended;

    expect(code).toBe(4);
    expect(err).toContain("another log-in");
  });

  it("takes the PIN that the platform shows", async () => {
    const browser = new Browser();
    const pin = async (address: string): Promise<string> => {
      const consent = await browser.open(address);
      const shown = await browser.press(consent, "Sign in and authorize", owner);
      return shown.dom.querySelector("#oauth_pin")?.text.trim() ?? "";
    };
    let typed: (text: string) => void = () => {};
    const typing = new Promise<string>((resolve) => (typed = resolve));
    const running = begin({ cwd: dev.folder, input: typing }, [
      "login",
      "--pin",
      "--username",
      "shop",
    ]);
    const address = await running.until(ADDRESS);

    expect(address).toContain("force_login=true&screen_name=shop");
    typed(await pin(address));
    const { code, out, err } = await running.ended;

    expect(code, err).toBe(0);
    expect(out).toContain("@shop");
  });

  it("ends with 130 when the person gives up", async () => {
    const running = login();
    await running.until("Waiting for the approval");

    expect((await running.end()).code).toBe(130);
  });

  it("reports how long it waited when no owner approved", async () => {
    const { code, err } = await login("--wait", "0.05").ended;

    expect(code).toBe(2);
    expect(err).toContain("no approval within 0.05 s");
  });
});
