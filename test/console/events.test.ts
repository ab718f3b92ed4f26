// @module-tag browser
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig();
});
afterAll(() => rig.close());

const says = (text: string) =>
  rig.sandbox.control.act(rig.people.ana, { type: "dm", to: rig.file.bot.id, text });

/** Opens a page that can't connect to the event stream until `connect` is called. */
async function openUnconnected(path: string) {
  let connect = (): void => {};
  const isHeldUp = new Promise<void>((resolve) => (connect = resolve));
  const page = await rig.openPrepared(path, async (fresh) => {
    // Without a shared worker, the page opens its own connection, which the test can delay.
    await fresh.addInitScript("delete globalThis.SharedWorker");
    await fresh.route("**/_console/events", async (request) => {
      await isHeldUp;
      await request.continue();
    });
  });
  return { page, connect };
}

describe("Events", () => {
  it("shows each delivery with its attempts and bodies, and earlier deliveries", async () => {
    await says("before the page");
    await rig.quiet();
    const page = await rig.open("/events");
    const feed = page.getByRole("region", { name: "Feed, newest first" });
    await feed.getByRole("button", { name: "direct_message_events" }).first().waitFor();

    await rig.sandbox.control.addFault({
      match: { direction: "delivery" },
      fault: { type: "status", status: 503 },
      when: { next: 1 },
    });
    await says("hours");
    await rig.sandbox.control.advance(60_000);
    const retried = feed.getByRole("img", {
      name: "Attempts: 1: refused, status 503; 2: delivered",
    });
    await retried.waitFor();
    await page.getByRole("checkbox", { name: "Only failures" }).check();
    expect(await feed.getByRole("row").count()).toBe(2);

    await feed.getByRole("button", { name: "direct_message_events" }).click();
    await page.getByText('"text": "hours"').first().waitFor();
    for (const scheme of ["light", "dark"] as const) {
      expect(await rig.violations(page, scheme), scheme).toEqual([]);
    }
    await page.close();
  });

  it("finds deliveries by their bodies, and delivers selected ones again", async () => {
    await says("found by its path");
    await rig.sandbox.control.act(rig.people.ben, {
      type: "dm",
      to: rig.file.bot.id,
      text: "not this one",
    });
    await rig.quiet();
    const page = await rig.open("/events");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const feed = page.getByRole("region", { name: "Feed, newest first" });
    const path = page.getByRole("searchbox", { name: "Body contains" });
    await path.fill("direct_message_events[0]..text");
    await path.press("Enter");
    await page.getByRole("alert").filter({ hasText: '"..text" at 25 is no step' }).waitFor();
    await path.fill(`*.message_create.sender_id = ${rig.people.ben}`);
    await path.press("Enter");
    await expect.poll(() => feed.getByRole("row").count()).toBe(2);
    expect(new URL(page.url()).searchParams.get("path")).toContain("sender_id");
    await feed.getByRole("cell", { name: "@hello_bot" }).waitFor();

    await feed.getByRole("checkbox", { name: "Select all shown" }).check();
    const chosen = page.getByRole("group", { name: "Actions on the selected deliveries" });
    await chosen.getByText("1 selected").waitFor();
    await chosen.getByRole("button", { name: "Copy as a fixture" }).click();
    await page.getByText("Copied.").waitFor();
    const copied = JSON.parse(String(await page.evaluate("navigator.clipboard.readText()")));
    expect(copied).toMatchObject([{ for_user_id: rig.file.bot.id }]);
    expect(JSON.stringify(copied)).toContain("not this one");
    expect(await rig.violations(page, "dark")).toEqual([]);

    await chosen.getByRole("button", { name: "Deliver twice" }).click();
    await page.getByText("On their way: 2.").waitFor();
    await page.getByRole("button", { name: "Go on" }).click();
    await feed
      .getByRole("img", {
        name: "Attempts: 1: delivered, status 200; 1: delivered, status 200; 1: d",
      })
      .waitFor();
    await page.close();
  });

  it("shows events from before its live connection", async () => {
    await says("before the page");
    await rig.quiet();
    const { page, connect } = await openUnconnected("/events");
    const delivered = page.getByRole("button", { name: "direct_message_events" });
    await delivered.first().waitFor();
    const before = await delivered.count();

    await says("before the connection");
    await rig.quiet();
    connect();

    await delivered.nth(before).waitFor();
    expect(await delivered.count()).toBe(before + 1);
    await page.close();
  });

  it("holds the feed from when that was pressed, its live connection there or not", async () => {
    await says("before the page");
    await rig.quiet();
    const { page, connect } = await openUnconnected("/events");
    const delivered = page.getByRole("button", { name: "direct_message_events" });
    await delivered.first().waitFor();
    const before = await delivered.count();
    await page.getByRole("button", { name: "Hold" }).click();

    await says("held before the connection");
    await rig.quiet();
    connect();

    const fresh = page.getByRole("button", { name: /\d+ new/ });
    await fresh.waitFor();
    expect(await delivered.count()).toBe(before);
    await fresh.click();
    await delivered.nth(before).waitFor();
    expect(await delivered.count()).toBe(before + 1);
    await page.close();
  });

  it("pauses the feed while a person reads, and shows the number of new events", async () => {
    const page = await rig.open("/events");
    await page.getByRole("button", { name: "Hold" }).click();
    await says("held back");
    await page.getByRole("button", { name: /\d+ new/ }).click();
    await page.getByRole("button", { name: "event-received" }).first().waitFor();
    expect(await page.getByRole("button", { name: "Hold" }).count()).toBe(1);
    await page.close();
  });
});
