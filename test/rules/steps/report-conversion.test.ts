import { describe, expect, it, test } from "vitest";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";
import { actionsOf, endOf, play } from "../support/playing.ts";

const HASH = "a1".repeat(32);
const KEYS = {
  app_id: "7",
  conversion_type: "SIGN_UP",
  conversion_time: "'${{ event.time }}'",
  os_type: "IOS",
  hashed_device_id: `'\${{ message.text == "no device" ? "" : "${HASH}" }}'`,
};
const rule = (keys: Readonly<Record<string, string>>) => {
  const written = Object.entries({ ...KEYS, ...keys }).map(([name, value]) => `${name}: ${value}`);
  const step = `{id: conv, report_conversion: {${written.join(", ")}}}`;
  return `rules: [{id: a, triggers: [dm.received], actions: [${step}, {log: after}]}]`;
};
const played = (keys: Readonly<Record<string, string>>, text = "hi") =>
  play(messageReceived({ senderId: "200", text }), rulesetOf(rule(keys)));

describe("report_conversion", () => {
  it("sends the interface's parameters, with ids as texts and times with milliseconds", () => {
    const price = { price_micro: "15000000", price_currency: "EUR", click_window: "30" };

    expect(actionsOf(played(price))).toEqual([
      {
        type: "report_conversion",
        to: "200",
        app_id: "7",
        conversion_type: "SIGN_UP",
        conversion_time: "2026-01-01T00:00:00.000Z",
        os_type: "IOS",
        hashed_device_id: HASH,
        price_micro: 15_000_000,
        price_currency: "EUR",
        click_window: 30,
      },
    ]);
    const [earlier] = actionsOf(played({ conversion_time: "'2026-02-28T09:00:00Z'" }));
    expect(earlier).toMatchObject({ conversion_time: "2026-02-28T09:00:00.000Z" });
  });

  it("is skipped with a reason and continues if there is no device", () => {
    const steps = played({}, "no device");

    expect(steps[0]).toMatchObject({
      kind: "log",
      message: "report_conversion is skipped: hashed_device_id is empty",
      skips: true,
    });
    expect(actionsOf(steps)).toEqual([]);
    expect(endOf(steps)).toBe("finished: all steps are done");
  });

  it("fails if templates give fewer days for clicks than for views", () => {
    const keys = { click_window: "'${{ 1 }}'", view_through_window: "'${{ 7 }}'" };

    expect(endOf(played(keys))).toBe(
      "failed: actions[0]: a click_window of 1 days is shorter than a view_through_window of 7 days: write a click_window of 7 days or more",
    );
  });

  test.each([
    { keys: { os_type: "'${{ message.text }}'" }, why: "os_type" },
    { keys: { conversion_time: "'${{ message.text }}'" }, why: "conversion_time" },
    { keys: { hashed_device_id: "'${{ message.text }}'" }, why: "hashed_device_id" },
    { keys: { price_micro: "'${{ message.text }}'" }, why: "price_micro" },
  ])(
    "fails if a template gives a value that the interface does not accept: $why",
    ({ keys, why }) => {
      expect(endOf(played(keys))).toMatch(
        new RegExp(`^failed: actions\\[0\\]: ${why} is "hi": write `),
      );
    },
  );
});
