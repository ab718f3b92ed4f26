// @module-tag browser
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Receiver, startReceiver } from "../sandbox/support/receiver.ts";
import { send, signed } from "../sandbox/support/test-sandbox.ts";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

const SCHEMES = ["light", "dark"] as const;
const MINUTE = 60_000;

let rig: ConsoleRig;
beforeEach(async () => {
  rig = await openConsoleRig();
  await rig.quiet();
});
afterEach(() => rig.close());

describe("Delivery", () => {
  it("shows an undelivered event with the time of its retry, and can deliver it at once", async () => {
    const { control } = rig.sandbox;
    const match = { direction: "delivery", event: "direct_message_events" } as const;
    await control.freezeClock(true);
    await control.addFault({ match, fault: { type: "status", status: 503 } });
    const page = await rig.open("/delivery");
    await control.act(rig.people.ana, { type: "dm", to: rig.file.bot.id, text: "wait for it" });

    const row = page.getByRole("listitem").filter({ hasText: "message by @ana" });
    await row.getByText("attempt 2 in 3.0 s").waitFor();
    expect(await rig.violations(page, "light")).toEqual([]);
    await row.getByRole("button", { name: "Retry now" }).click();
    await page.getByText("Nothing waits for a retry.").waitFor();
    await control.freezeClock(false);
    await page.close();
  });

  it("recovers a gap that is too short for an automatic replay, then an outage, and shows what can't be replayed", async () => {
    const { control } = rig.sandbox;
    const [hosts, webhooks] = await Promise.all([control.hosts(), control.webhooks()]);
    const webhook = webhooks.find(({ app_id }) => app_id === rig.file.app.id);
    const mapped = hosts.find(({ host }) => webhook?.url.includes(`//${host}/`));
    if (mapped === undefined || webhook === undefined) throw new Error("the bot has a webhook");
    const { ana, ben } = rig.people;
    const bot = rig.file.bot.id;
    const page = await rig.open("/delivery");
    await control.act(ana, { type: "dm", to: bot, text: "the last that comes" });
    await rig.quiet();
    await control.freezeClock(true);
    await control.host(mapped.host, "http://127.0.0.1:9");
    await control.challengeWebhook(webhook.id);
    await control.advance(MINUTE);
    await control.act(ben, { type: "follow", user_id: bot });
    await control.advance(12 * MINUTE);
    await page.getByText("no deliveries arrive now").waitFor();
    await control.host(mapped.host, mapped.target);
    await control.advance(MINUTE);
    await page.getByText("deliveries arrive", { exact: true }).waitFor();

    const gap = page.getByRole("listitem").filter({ hasText: "of @hello_bot" });
    await page.getByRole("img", { name: /^@hello_bot in 24 hours: .*read back/ }).waitFor();
    await gap.getByText("messages and mentions have been read back, the rest has not").waitFor();
    await gap.getByRole("button", { name: "Recover gap" }).click();
    const done = page.getByRole("row", { name: /Complete.*by hand.*, 1 new, / });
    await done.waitFor();
    expect(await gap.count()).toBe(1);
    await page.getByRole("img", { name: /^@hello_bot in 24 hours: .*replayed/ }).waitFor();
    await gap.getByText("Too recent: it can be replayed from").waitFor();
    await control.freezeClock(false);

    await control.advance(60 * MINUTE);
    await control.host(mapped.host, "http://127.0.0.1:9");
    await control.advance(60 * MINUTE);
    for (const other of ["block", "mute", "unmute"] as const) {
      await control.act(rig.people.ben, { type: other, user_id: rig.file.bot.id });
    }
    await control.act(rig.people.ana, { type: "dm", to: rig.file.bot.id, text: "hours?" });
    await control.advance(5 * MINUTE);
    await page.getByRole("img", { name: /^@hello_bot in 24 hours: .*missed/ }).waitFor();
    await gap.getByText("of @hello_bot").first().waitFor();
    await page.getByRole("img", { name: /^Challenges in 24 hours: .*[1-9]\d* failed/ }).waitFor();

    const begin = page.getByLabel("From", { exact: true });
    await begin.press("ArrowUp");
    const local = await begin.inputValue();
    await begin.fill(`${Number(local.slice(0, 4)) - 1}${local.slice(4)}`);
    await page.getByText("over 24 hours ago: the platform replays it no longer").waitFor();
    expect(await page.getByRole("button", { name: "Replay", exact: true }).isDisabled()).toBe(true);
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);

    const strip = page.getByRole("img", { name: /^@hello_bot in 24 hours/ });
    await strip.scrollIntoViewIfNeeded();
    const box = await strip.boundingBox();
    if (box === null) throw new Error("the strip is shown");
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.905, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.955, y);
    await page.mouse.up();
    await page
      .getByText(/^1 h.* in 1 job\. Events that were received before are not processed twice\.$/)
      .waitFor();

    await control.host(mapped.host, mapped.target);
    await control.advance(45 * MINUTE);
    await page
      .getByText(/redelivered, .*ignored/)
      .first()
      .waitFor();
    const jobs = page.getByRole("region", { name: "Replay jobs" });
    await jobs
      .getByRole("row", { name: /Complete/ })
      .first()
      .waitFor();
    await page.getByRole("img", { name: /^@hello_bot in 24 hours: .*replayed/ }).waitFor();

    await page.getByRole("button", { name: "Request a challenge now" }).click();
    await page.getByText("The challenge was answered correctly.").waitFor();
    await page.close();
  });
});

describe("Portal", () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  /** Creates an app with a webhook and one subscribed user. */
  async function subscribedApp(username: string): Promise<{ appId: string; webhookId: string }> {
    const { control, url } = rig.sandbox;
    const app = await control.app();
    receiver.secret = app.consumer_secret;
    await control.host("portal.example", receiver.target);
    const { id } = await control.registerWebhook(app.app_id, "https://portal.example/hook");
    const tokens = await control.tokens(await control.user(username), app.app_id);
    const path = `${url}/2/account_activity/webhooks/${id}/subscriptions/all`;
    await send("POST", path, signed(app, tokens, "POST", path));
    return { appId: app.app_id, webhookId: id };
  }

  it("creates an app, shows why a callback is refused, and logs a person in step by step", async () => {
    const page = await rig.open("/portal");
    await page.getByRole("textbox", { name: "Name" }).fill("second");
    await page.getByRole("button", { name: "Create" }).click();
    const once = page.getByRole("status").filter({ hasText: "Shown once." });
    const secretOf = (name: string): Promise<string> =>
      once.locator(`dt:text-is("${name}") + dd`).innerText();
    const [key, secret] = [await secretOf("consumer_key"), await secretOf("consumer_secret")];
    await page.getByRole("link", { name: "second" }).click();
    const part = (name: string): Promise<void> => page.getByRole("button", { name }).click();

    await part("Callback URLs");
    await page.getByLabel("Try this URL").fill("http://localhost/callback");
    await page.getByText("use http://127.0.0.1 in place of localhost").waitFor();
    await part("Log-in tester");
    await page.getByRole("button", { name: "Add it" }).click();
    await page.getByLabel("API key").fill(key);
    await page.getByLabel("API secret").fill(secret);
    await page.getByRole("button", { name: "Start a log-in" }).click();
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("link", { name: "Open the consent page in a new tab" }).click(),
    ]);
    await tab.getByRole("button", { name: "@ben" }).click();
    await tab.getByText("gave the app an access token").waitFor();
    expect(new URL(tab.url()).origin).toBe(rig.url);
    await tab.close();
    await page.getByText("gave the app an access token").waitFor();
    await page.getByText("POST /oauth/request_token").click();
    await page.getByText("matches").waitFor();
    await page.getByText("POST /oauth/access_token").click();
    await page.getByText("the platform accepted it").waitFor();
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);

    await part("Permission");
    await page.getByRole("radio", { name: "Read", exact: true }).check();
    await page.getByText("They must log in again: @ben.").waitFor();
    await page.getByRole("button", { name: "Change the level" }).click();
    await part("Keys and tokens");
    await page.getByRole("row", { name: /@ben.*must log in again/ }).waitFor();
    await page.close();
  });

  it("shows webhooks with the challenge as it was sent, and ends a subscription", async () => {
    const { appId, webhookId } = await subscribedApp("caller");
    const page = await rig.open(`/portal/apps/${appId}?part=webhooks`);
    await page.getByText("The latest challenge as it was sent: passed").click();
    await page.getByText("What was signed: the query").waitFor();
    expect(await rig.violations(page, "light")).toEqual([]);
    await page.getByRole("button", { name: "Subscriptions" }).click();
    await page.getByRole("button", { name: "Remove the subscription of @caller" }).click();
    await page.getByText("Nobody is subscribed.").waitFor();
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);
    await rig.sandbox.control.removeWebhook(webhookId);
    await page.close();
  });
});
