import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printable, visible, visibleLines } from "../../src/text/unseen.ts";

describe("invisible characters", () => {
  it.each([
    { what: "ESC, BEL and DEL", text: "\u001b[2J\u0007\u007f", shown: "\\u001b[2J\\u0007\\u007f" },
    { what: "C1", text: "\u009b31m\u0085", shown: "\\u009b31m\\u0085" },
    {
      what: "overrides of direction",
      text: "a\u202eb\u2066c\u061c",
      shown: "a\\u202eb\\u2066c\\u061c",
    },
    { what: "zero width", text: "pay\u200bpal\u2060\ufeff", shown: "pay\\u200bpal\\u2060\\ufeff" },
    {
      what: "joiners between Latin letters",
      text: "pay\u200dpal\u200c",
      shown: "pay\\u200dpal\\u200c",
    },
    {
      what: "soft hyphens and fillers",
      text: "a\u00adb\u3164c\u115f",
      shown: "a\\u00adb\\u3164c\\u115f",
    },
    { what: "tags without a flag", text: "a\u{e0041}", shown: "a\\udb40\\udc41" },
    { what: "separators of lines", text: "a\u2028b\u2029", shown: "a\\u2028b\\u2029" },
    { what: "half characters", text: "a\ud83d!", shown: "a\\ud83d!" },
  ])("are written as escapes: $what", ({ text, shown }) => {
    expect(visible(text)).toBe(shown);
    expect(printable(text, false)).toBe(shown);
  });

  it.each([
    { what: "letters and punctuation", text: "Größe ¡Hola! “日本語” שלום" },
    { what: "a family, a skin tone, a heart", text: "👨‍👩‍👧‍👦👍🏽❤️" },
    { what: "the flag of Scotland", text: "🏴󠁧󠁢󠁳󠁣󠁴󠁿" },
    { what: "joiners of Persian and Hindi", text: "می\u200cخواهم क्\u200dष" },
  ])("stay where writing needs them: $what", ({ text }) => {
    expect(visible(text)).toBe(text);
    expect(printable(text, false)).toBe(text);
  });
});

it("line breaks and tabs stay in printed text, and are escaped in a single line", () => {
  expect(printable("a\tb\nc\r", false)).toBe("a\tb\nc\\u000d");
  expect(visible("a\tb\nc\r")).toBe("a\\tb\\nc\\r");
  expect(visibleLines("a\r\nb\u001b", "  ")).toBe("a\n  b\\u001b");
});

it("colours stay if colours are on, and no other terminal commands", () => {
  const red = "\u001b[31mred\u001b[39m";

  expect(printable(red, true)).toBe(red);
  expect(printable(red, false)).toBe("\\u001b[31mred\\u001b[39m");
  expect(printable("\u001b[8mhidden\u001b[2J\u001b]0;title\u0007", true)).toBe(
    "\\u001b[8mhidden\\u001b[2J\\u001b]0;title\\u0007",
  );
});

it("JSON keeps its value, without such characters", () => {
  const text = fc.string({ unit: "binary", maxLength: 30 });
  fc.assert(
    fc.property(fc.dictionary(text, fc.oneof(text, fc.integer())), (value) => {
      const json = printable(JSON.stringify(value), false);

      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(json).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\ufeff]/u);
    }),
  );
});
