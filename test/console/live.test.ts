// @module-tag browser
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";
import { postToken } from "./signed-in.ts";

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig();
});
afterAll(() => rig.close());

const TABS = 12;

describe("pages left open", () => {
  it("all twelve stay live, and continue by themselves after a restart, which they report", async () => {
    const tabs = await Promise.all(Array.from({ length: TABS }, () => rig.open("/chat?as=ana")));
    const says = async (text: string): Promise<void> => {
      await rig.sandbox.control.act(rig.people.ana, { type: "dm", to: rig.file.bot.id, text });
      await Promise.all(tabs.map((tab) => tab.getByRole("button", { name: text }).waitFor()));
    };
    await says("first thing");
    const [tab, ...others] = tabs;
    if (tab === undefined) throw new Error("no tab was opened");

    await rig.stop();
    await tab.getByText("Not connected.").waitFor();
    await rig.start();
    await tab.getByText("The bot's process was restarted and did not answer for").waitFor();
    await says("second thing");
    expect(
      await Promise.all(others.map((one) => one.getByText("did not answer for").count())),
    ).toEqual(others.map(() => 1));
    await Promise.all(tabs.map((one) => one.close()));
  });

  it("one goes on with the session of another tab if only its own, older one is refused", async () => {
    const page = await rig.open("/log");
    const { dom } = await postToken(await rig.link());
    const signedIn = dom.querySelector("#signed-in");
    const token = signedIn?.getAttribute("data-token") ?? "";
    const proof = signedIn?.getAttribute("data-proof") ?? "";
    await page.route(
      "**/_console/ask/*",
      async (route) => {
        for (const [key, value] of [
          ["answerback-proof", proof],
          ["answerback-session", token],
        ]) {
          await page.evaluate(`localStorage.setItem("${key}", "${value}")`);
        }
        const body = JSON.stringify({ error: { code: "signed-out", message: "sign in" } });
        await route.fulfill({ status: 401, body });
      },
      { times: 1 },
    );
    const loaded = page.waitForEvent("load");
    await page.getByRole("link", { name: "Rules", exact: true }).click();

    await loaded;
    await page.locator("header").getByText("connected", { exact: true }).waitFor();
    expect(page.url()).toBe(`${rig.url}/rules`);
    expect(await page.evaluate("localStorage.getItem('answerback-session')")).toBe(token);
    await page.close();
  });
});
