import { describe, expect, it } from "vitest";
import { withoutRuns } from "../../../src/system/secrets/secret-runs.ts";

const KEY = 'sk-Live/9f"Qx 7Zt%';
const hide = (outcome: unknown, value = KEY, isTakenApart = false): unknown =>
  withoutRuns(outcome, [{ value, isTakenApart }]);

describe("a secret that is sent completely", () => {
  it.each([
    { form: "as it is", text: `key ${KEY}!`, shown: "key [Redacted]!" },
    { form: "in capitals", text: KEY.toUpperCase(), shown: "[Redacted]" },
    {
      form: "percent-encoded",
      text: `?k=${encodeURIComponent(KEY)}&a=1`,
      shown: "?k=[Redacted]&a=1",
    },
    { form: "as a URL has it", text: new URL(`http://a/?${KEY}`).search, shown: "?[Redacted]" },
    { form: "in JSON", text: JSON.stringify({ key: KEY }), shown: '{"key":"[Redacted]"}' },
    {
      form: "twice in JSON",
      text: JSON.stringify(JSON.stringify([KEY])),
      shown: '"[\\"[Redacted]\\"]"',
    },
    {
      form: "its end",
      text: `key ending in ${KEY.slice(-9)}.`,
      shown: "key ending in [Redacted].",
    },
    { form: "seven characters of it", text: KEY.slice(0, 7), shown: KEY.slice(0, 7) },
    { form: "nothing of it", text: "shipped on Friday", shown: "shipped on Friday" },
  ])("$form: $text", ({ text, shown }) => {
    expect(hide(text)).toBe(shown);
  });

  it("is hidden, but words that occur in it are not", () => {
    const secret = "corner-shop-orders";
    expect(hide("the corner-shop is open", secret)).toBe("the corner-shop is open");
    expect(hide(`it is ${secret}`, secret)).toBe("it is [Redacted]");
  });

  it("is hidden completely if it is short; three characters are not hidden", () => {
    expect(hide("pin 4711, order 47112", "4711")).toBe("pin [Redacted], order [Redacted]2");
    expect(hide("a 123", "123")).toBe("a 123");
  });
});

it("of a secret in pieces, four characters are hidden, and three are not", () => {
  expect(hide("sk-L, sk-, (7Zt%)", KEY, true)).toBe("[Redacted], sk-, ([Redacted])");
});

it("keys, numbers and inner values are searched, and everything else is unchanged", () => {
  const outcome = { ok: true, [KEY]: [{ pin: 12_345_678, id: 7, none: null }] };

  expect(
    withoutRuns(outcome, [
      { value: KEY, isTakenApart: false },
      { value: "12345678", isTakenApart: false },
    ]),
  ).toEqual({ ok: true, "[Redacted]": [{ pin: "[Redacted]", id: 7, none: null }] });
  expect(withoutRuns(outcome, [])).toBe(outcome);
});
