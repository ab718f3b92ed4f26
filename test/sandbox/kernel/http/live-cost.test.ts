import { afterEach, expect, it } from "vitest";
import { startTestSandbox, type TestSandbox } from "../../support/test-sandbox.ts";

let fixture: TestSandbox;
afterEach(() => fixture.close());

it("counts the requests of the last hour against the live limits, even if limits are off", async () => {
  fixture = await startTestSandbox({ settings: { limits: { enabled: false } } });
  const { control } = fixture.sandbox;
  const path = `/2/dm_conversations/with/${fixture.person}/messages`;
  const send = async (times: number): Promise<void> => {
    for (let sent = 0; sent < times; sent += 1) await fixture.asBot("POST", path, { text: "hi" });
  };
  const cost = async () => {
    const { enabled, requests } = await control.liveCost();
    const of = requests.filter(({ endpoint }) => endpoint.startsWith("POST /2/dm_conv"));
    return { enabled, of: of.map(({ by, limit, most, over }) => ({ by, limit, most, over })) };
  };
  await send(10);
  await control.advance(20 * 60_000);
  await send(17);

  expect(await cost()).toEqual({
    enabled: false,
    of: [
      { by: "user", limit: 15, most: 17, over: 2 },
      { by: "app", limit: 1_440, most: 27, over: 0 },
      { by: "user", limit: 1_440, most: 27, over: 0 },
    ],
  });
  await control.advance(61 * 60_000);
  expect((await cost()).of.map(({ most }) => most)).toEqual([27, 27]);
});

it("counts where limits are on, too", async () => {
  fixture = await startTestSandbox();
  await fixture.asBot("GET", "/2/users/me");

  const { enabled, requests } = await fixture.sandbox.control.liveCost();

  expect(enabled).toBe(true);
  expect(requests).toContainEqual(
    expect.objectContaining({ endpoint: "GET /2/users/me", who: fixture.bot, most: 1, over: 0 }),
  );
});
