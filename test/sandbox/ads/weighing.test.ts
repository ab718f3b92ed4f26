import { afterEach, beforeEach, expect, it } from "vitest";
import { type RunningSandbox, startSandbox } from "../../../src/sandbox/index.ts";

let sandbox: RunningSandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

const APP = "1234567890";

it("each engagement of a device has the reason why the conversion is credited to it or not, for any windows", async () => {
  const { control } = sandbox;
  const ana = await control.user("ana");
  const account = await control.adsAccount(ana, "Advertiser");
  const makes = (type: "CLICK" | "VIEW", time: string) =>
    control.engagement({
      account_id: account,
      hashed_device_id: "device",
      app_store_identifier: APP,
      type,
      time,
    });
  await makes("CLICK", "2026-01-01T00:00:00Z");
  await makes("CLICK", "2026-01-09T00:00:00Z");
  await makes("CLICK", "2026-01-10T00:00:00Z");
  await makes("VIEW", "2026-01-10T10:00:00Z");
  await makes("CLICK", "2026-01-11T00:00:00Z");
  const weighed = async (click: number, view: number) =>
    (
      await control.weighEngagements({
        hashed_device_id: "device",
        app_store_identifier: APP,
        time: "2026-01-10T12:00:00Z",
        click_window: click,
        view_through_window: view,
      })
    ).map(({ why }) => why);

  expect(await weighed(7, 1)).toEqual([
    "the click is older than its window of 7 days",
    "a later click won",
    "it is the last that counts",
    "a click inside its window beats every view",
    "the click came after the conversion",
  ]);
  expect((await weighed(0, 1))[3]).toBe("it is the last that counts");
  expect((await weighed(7, 0))[3]).toBe("views don't count: their window is 0 days");
  expect((await control.ads()).engagements).toHaveLength(5);
});
