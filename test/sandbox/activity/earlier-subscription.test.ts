import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

const HOUR = 3_600_000;

let fixture: TestSandbox;
let webhook: string;
beforeEach(async () => {
  fixture = await startTestSandbox({ settings: { delays: { replay_least_ms: 0 } } });
  webhook = await fixture.subscribed();
});
afterEach(() => fixture.close());

const all = (): string => `/2/account_activity/webhooks/${webhook}/subscriptions/all`;
const subscribe = (): Promise<unknown> => fixture.asBot("POST", all());
const message = (text: string): Promise<{ id: string }> =>
  fixture.sandbox.control.act(fixture.person, { type: "dm", to: fixture.bot, text });

/** The ways in which a subscription ends. */
const ENDS = [
  {
    why: "the app deletes it",
    end: () =>
      fixture.asApp(
        "DELETE",
        `/2/account_activity/webhooks/${webhook}/subscriptions/${fixture.bot}/all`,
      ),
  },
  {
    why: "the user removes the app's authorization",
    end: () => fixture.sandbox.control.revoke(fixture.bot, fixture.app.app_id),
  },
];

/** Returns the texts of the received messages, and the keys of other received events. */
function events(): unknown[] {
  return fixture.received.map(
    ({ raw, body }) => /"text":"([^"]*)"/.exec(raw)?.[1] ?? Object.keys(body)[0],
  );
}

/** Replays the 22 hours before the clock's time less an hour. */
async function replay(): Promise<void> {
  await fixture.sandbox.control.advance(HOUR);
  fixture.received.length = 0;
  const now = Date.parse((await fixture.sandbox.control.clock()).now);
  const date = (at: number): string =>
    new Date(at).toISOString().replace(/[-T:]/g, "").slice(0, 12);
  const query = `from_date=${date(now - 23 * HOUR)}&to_date=${date(now - HOUR / 4)}`;
  const path = `/2/account_activity/replay/webhooks/${webhook}/subscriptions/all?${query}`;
  expect((await fixture.asApp("POST", path)).status).toBe(200);
  await fixture.idle();
}

describe("a replay", () => {
  test.each(ENDS)(
    "brings nothing of an earlier subscription that ended as $why",
    async ({ end }) => {
      await message("earlier");
      await end();
      await subscribe();
      await message("later");

      await replay();

      expect(events()).toEqual(["later", "replay_job_status"]);
      expect(fixture.received.at(-1)?.body).toMatchObject({
        replay_job_status: { job_state: "Complete" },
      });
    },
  );

  it("brings what happened after the subscription though the clock was set back since", async () => {
    const { control } = fixture.sandbox;
    await message("earlier");
    await control.advance(12 * HOUR);
    await ENDS[0]?.end();
    await subscribe();
    const { now } = await control.clock();
    await control.post("/clock", { set: new Date(Date.parse(now) - 12 * HOUR).toISOString() });
    await message("later");

    await replay();

    expect(events()).toEqual(["later", "replay_job_status"]);
  });
});

describe("a delivery that waits for its retry", () => {
  test.each(ENDS)("is dropped when $why", async ({ end }) => {
    const { control } = fixture.sandbox;
    fixture.answers.statuses = [503];
    await message("refused");
    await fixture.idle();
    await end();
    const pending = await control.pendingDeliveries();
    await subscribe();
    await control.advance(HOUR);

    expect(pending).toEqual([]);
    expect(events().filter((event) => event !== "user_event")).toEqual([]);
  });

  it("is retried if it is the notice that the subscription has ended", async () => {
    fixture.answers.statuses = [503];
    await ENDS[1]?.end();
    await fixture.sandbox.control.advance(HOUR);

    expect(events()).toEqual(["user_event"]);
  });
});

it("a delayed first delivery is dropped if the subscription ends before it", async () => {
  const { control } = fixture.sandbox;
  await control.call("PATCH", "/settings", { delays: { delivery_ms: 10_000 } });
  await message("delayed");
  await ENDS[0]?.end();
  await control.advance(HOUR);

  expect(events()).toEqual([]);
});
