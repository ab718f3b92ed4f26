import fc from "fast-check";
import { expect, it, test } from "vitest";
import { spokenDurationMs } from "../../src/text/spoken-duration.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  ["2 hours", 2 * HOUR],
  ["10 min", 10 * MINUTE],
  ["10 Min.", 10 * MINUTE],
  ["1 day", DAY],
  ["2 Weeks", 14 * DAY],
  ["90s", 90_000],
  ["500 ms", 500],
  ["1h30m", 90 * MINUTE],
  ["1 hour 30 minutes", 90 * MINUTE],
  ["1 hour, 30 minutes", 90 * MINUTE],
  ["1 day, and 2 hours", 26 * HOUR],
  ["an hour and 30 minutes", 90 * MINUTE],
  ["half an hour", 30 * MINUTE],
  ["half a day", 12 * HOUR],
  ["a week", 7 * DAY],
  ["three days", 3 * DAY],
  ["1.5 hours", 90 * MINUTE],
  ["1,5 hours", 90 * MINUTE],
  ["0,125 hours", 7.5 * MINUTE],
  ["1,000 seconds", 1_000_000],
  ["1,000,000 ms", 1_000_000],
  ["  5   minutes ", 5 * MINUTE],
  ["５ minutes", 5 * MINUTE],
  ["0 s", 0],
  ["10 Minutes!", 10 * MINUTE],
  ["10 minutes, please!", 10 * MINUTE],
  ["2 hours…", 2 * HOUR],
  ["5 mins pls?", 5 * MINUTE],
  ["fifteen minutes", 15 * MINUTE],
  ["twenty minutes", 20 * MINUTE],
  ["forty-five minutes", 45 * MINUTE],
  ["Forty five minutes", 45 * MINUTE],
  ["an hour and a half", 90 * MINUTE],
  ["two hours and a quarter", 135 * MINUTE],
  ["one and a half hours", 90 * MINUTE],
  ["2 and a half days", 60 * HOUR],
  ["half hour", 30 * MINUTE],
  ["a half hour", 30 * MINUTE],
  ["a quarter of an hour", 15 * MINUTE],
  ["quarter of an hour", 15 * MINUTE],
])("%s is a duration", (text, ms) => {
  expect(spokenDurationMs(text)).toBe(ms);
});

test.each([
  "",
  " ",
  "10",
  "minutes",
  "soon",
  "2 months",
  "-5 minutes",
  "5 minutes ago",
  "5 minutes 10",
  "1,0000 seconds",
  "1,000.5 seconds",
  "and 5 minutes",
  "5 minutes and",
  "5 minutes, ",
  "5 minutes, and",
  "please",
  "!",
  "twenty- minutes",
  "twenty-twelve minutes",
  "twenty a minutes",
  "five and a half",
  "half",
  "an hour, a half",
  "1234567890 s",
  "1e3 s",
  "Infinity s",
  "NaN s",
  "0x10 s",
  `5${" ".repeat(200)}minutes`,
])("%j is none", (text) => {
  expect(spokenDurationMs(text)).toBeUndefined();
});

it("gives a whole number of milliseconds, or nothing, for any text", () => {
  const word = fc.constantFrom(
    "1",
    "2.5",
    "half",
    "a",
    "h",
    "min",
    "and",
    ",",
    ".",
    "days",
    "x",
    "twenty",
    "-",
    "quarter",
    "of",
  );
  fc.assert(
    fc.property(
      fc.array(word).map((words) => words.join(" ")),
      (text) => {
        const ms = spokenDurationMs(text);
        expect(ms === undefined || (Number.isSafeInteger(ms) && ms >= 0)).toBe(true);
      },
    ),
  );
});
