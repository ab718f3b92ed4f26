import { InvalidArgumentError } from "commander";
import { describe, expect, it } from "vitest";
import { appSettings } from "../../../src/cli/arguments/app-settings.ts";
import {
  fraction,
  nonNegativeInteger,
  positiveInteger,
  positiveSeconds,
} from "../../../src/cli/arguments/numbers.ts";
import { port, portBusyError } from "../../../src/cli/arguments/ports.ts";
import { UsageError } from "../../../src/errors.ts";

describe("arguments", () => {
  it.each([
    { parse: positiveInteger, accepted: ["1", "20"], refused: ["0", "-1", "1.5", "1e3", "", " 1"] },
    { parse: nonNegativeInteger, accepted: ["0", "7"], refused: ["-1", "00x", ""] },
    { parse: positiveSeconds, accepted: ["0.5", "10"], refused: ["0", "-1", "", "Infinity", "x"] },
    { parse: fraction, accepted: ["0", "0.5", "1"], refused: ["-0.1", "1.1", "", "half"] },
    { parse: port, accepted: ["0", "65535"], refused: ["65536", "-1", "80a", ""] },
  ])("of $parse.name are numbers in its range", ({ parse, accepted, refused }) => {
    expect(accepted.map(parse)).toEqual(accepted.map(Number));
    for (const text of refused) expect(() => parse(text), text).toThrow(InvalidArgumentError);
  });

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

  it("a port in use is a usage error, any other error stays unchanged", () => {
    const busy = Object.assign(new Error("listen"), { code: "EADDRINUSE" });
    const other = new Error("other");

    expect(portBusyError(busy, 8090)).toMatchObject({ message: "port 8090 is busy" });
    expect(portBusyError(other, 8090)).toBe(other);
  });
});
