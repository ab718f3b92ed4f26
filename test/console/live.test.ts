// @module-tag browser
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

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
});
