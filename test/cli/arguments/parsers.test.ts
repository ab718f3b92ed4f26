import { InvalidArgumentError } from "commander";
import { describe, expect, it } from "vitest";
import { appSettings } from "../../../src/cli/arguments/app-settings.ts";
import { instantMs } from "../../../src/cli/arguments/instant.ts";
import {
  fraction,
  upTo,
  nonNegativeInteger,
  positiveInteger,
  positiveSeconds,
} from "../../../src/cli/arguments/numbers.ts";
import { callbackUrl, port, portBusyError } from "../../../src/cli/arguments/ports.ts";
import { UsageError } from "../../../src/errors.ts";

describe("arguments", () => {
  it.each([
    { parse: positiveInteger, accepted: ["1", "20"], refused: ["0", "-1", "1.5", "1e3", "", " 1"] },
    { parse: nonNegativeInteger, accepted: ["0", "7"], refused: ["-1", "00x", ""] },
    { parse: positiveSeconds, accepted: ["0.5", "10"], refused: ["0", "-1", "", "Infinity", "x"] },
    { parse: fraction, accepted: ["0", "0.5", "1"], refused: ["-0.1", "1.1", "", "half"] },
    { parse: upTo(3), accepted: ["1", "3"], refused: ["0", "4", "-1", "1.0", ""] },
    { parse: port, accepted: ["0", "65535"], refused: ["65536", "-1", "80a", ""] },
  ])("of $parse.name are numbers in its range", ({ parse, accepted, refused }) => {
    expect(accepted.map(parse)).toEqual(accepted.map(Number));
    for (const text of refused) expect(() => parse(text), text).toThrow(InvalidArgumentError);
  });

  it.each([
    { text: "2026-02-28", at: "2026-02-28T00:00:00.000Z" },
    { text: "2028-02-29T10:00+14:00", at: "2028-02-28T20:00:00.000Z" },
    { text: "2026-11-29T02:00", at: "2026-11-29T02:00:00.000Z" },
    { text: "2026-11-29 02:00:30.5", at: "2026-11-29T02:00:30.500Z" },
    { text: "2026-02-29", at: undefined },
    { text: "2026-11-31T00:00Z", at: undefined },
    { text: "2026-00-10", at: undefined },
  ])(
    "of time are days that the calendar has, in UTC without another zone: $text",
    ({ text, at }) => {
      const ms = instantMs(text);

      expect(ms === undefined ? undefined : new Date(ms).toISOString()).toBe(at);
    },
  );

  it("name=value pairs become settings of an app", () => {
    expect(
      appSettings([
        "name=a=b",
        "sign_in=true",
        "email=null",
        "callback_urls=https://a/,https://b/",
      ]),
    ).toEqual({
      name: "a=b",
      sign_in: true,
      email: null,
      callback_urls: ["https://a/", "https://b/"],
    });
    expect(() => appSettings(["=x"])).toThrow(UsageError);
  });

  it.each(["localhost:8765/callback", "bot.example/callback", "bot://callback", ""])(
    "a callback has the scheme http or https, unlike %j",
    (text) => {
      expect(() => callbackUrl(text)).toThrow(InvalidArgumentError);
      expect(callbackUrl(`https://bot.example/${text}`)).toBe(`https://bot.example/${text}`);
    },
  );

  it("a port in use is a usage error, any other error stays unchanged", () => {
    const busy = Object.assign(new Error("listen"), { code: "EADDRINUSE" });
    const other = new Error("other");

    expect(portBusyError(busy, 8090)).toMatchObject({ message: "port 8090 is busy" });
    expect(portBusyError(other, 8090)).toBe(other);
  });
});
