import { describe, expect, test } from "vitest";
import { isSameWithMedia } from "../../src/actions/media.ts";
import { isSameQuote } from "../../src/actions/quote.ts";
import { isSameReply, isSameText } from "../../src/actions/same-text.ts";

describe("the text that the platform shows", () => {
  test.each([
    { why: "as it was written", written: "hi", shown: "hi", same: true },
    { why: "with entities", written: "a < b & c", shown: "a &lt; b &amp; c", same: true },
    {
      why: "with entities that were written",
      written: "write &amp; and &lt;, not &",
      shown: "write &amp;amp; and &amp;lt;, not &amp;",
      same: true,
    },
    { why: "not with another entity", written: "&lt;", shown: "&amp;gt;", same: false },
    {
      why: "with its link shortened",
      written: "see https://example.org/a?b=1 now",
      shown: "see https://t.co/abc now",
      same: true,
    },
    {
      why: "with its bare domain as a link",
      written: "see example.org/a (or example.com).",
      shown: "see https://t.co/abc (or https://t.co/def).",
      same: true,
    },
    {
      why: "with a bare domain between letters of a script without spaces",
      written: "请看example.org谢谢",
      shown: "请看https://t.co/abc谢谢",
      same: true,
    },
    {
      why: "with a link under an unknown top-level domain",
      written: "see https://a.unknown now",
      shown: "see https://t.co/abc now",
      same: true,
    },
    {
      why: "not with a link for another word",
      written: "see v1.2",
      shown: "see https://t.co/a",
      same: false,
    },
    { why: "without space at its ends", written: "hi \n", shown: "hi", same: true },
    { why: "with accents composed", written: "cafe\u0301", shown: "caf\u00e9", same: true },
    { why: "not another text", written: "hi", shown: "hi!", same: false },
    { why: "not without its link", written: "see https://a.b", shown: "see", same: false },
    { why: "not in another case", written: "Hi", shown: "hi", same: false },
  ])("is the one written: $why ($same)", ({ written, shown, same }) => {
    expect(isSameText(written, shown)).toBe(same);
  });

  test.each([
    { why: "with the name of whom it answers", written: "Yes.", shown: "@ana Yes.", same: true },
    { why: "with several names", written: "Yes.", shown: "@ana @ben Yes.", same: true },
    { why: "names that were written", written: "@ana Yes.", shown: "@ana Yes.", same: true },
    {
      why: "a written name that the platform made effective",
      written: "@\u2060ben Yes.",
      shown: "@ana @ben Yes.",
      same: true,
    },
    { why: "not another text", written: "Yes.", shown: "@ana No.", same: false },
    { why: "not a name in the middle", written: "Yes.", shown: "Yes. @ana", same: false },
  ])("of a reply is the one written: $why ($same)", ({ written, shown, same }) => {
    expect(isSameReply(written, shown)).toBe(same);
  });

  test.each([
    { why: "with a link to its picture", shown: "hi https://t.co/a", same: true },
    { why: "with another text", shown: "ho https://t.co/a", same: false },
    // Each space must not be a new start of the search for the link: that would take a minute here.
    { why: "with many spaces", shown: `hi${" ".repeat(200_000)}ho`, same: false },
  ])("of a text with media or a quote is the one written: $why ($same)", ({ shown, same }) => {
    expect(isSameWithMedia({ text: "hi", media: "1" }, shown)).toBe(same);
    expect(isSameQuote("hi", shown)).toBe(same);
  });
});
