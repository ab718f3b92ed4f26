import { describe, expect, it, test } from "vitest";
import { escapeText, writtenText } from "../../src/protocol/written-text.ts";

const link = (url: string, expanded_url: string) => ({ url, expanded_url });
const T1 = "https://t.co/aaaaaaaaaa";
const T2 = "https://t.co/bbbbbbbbbb";

describe("a text that the platform shows, as its author wrote it", () => {
  test.each([
    ["R&amp;D", [], [], "R&D", "what is escaped"],
    ["a &lt;b&gt; c", [], [], "a <b> c", "signs around a word"],
    ["&amp;lt;", [], [], "&lt;", "what somebody wrote escaped stays so"],
    ["&copy; &quot;", [], [], "&copy; &quot;", "what the platform never writes stays"],
    [
      `see ${T1}.`,
      [link(T1, "https://a.example/x?a=1&b=2")],
      [],
      "see https://a.example/x?a=1&b=2.",
      "a link",
    ],
    [
      `${T1} ${T2}`,
      [link(T1, "https://a.example"), link(T2, "https://b.example")],
      [],
      "https://a.example https://b.example",
      "two links",
    ],
    [`look ${T1}`, [], [T1], "look", "a picture's link"],
    [T1, [], [T1], "", "a picture alone"],
    [
      `so ${T2} ${T1}`,
      [link(T2, "https://p.example/ana/status/1")],
      [T1, T2],
      "so",
      "a quoted post and a picture",
    ],
    [`${T1} is it`, [], [T1], `${T1} is it`, "a link that does not stand at the end"],
    [
      "https://t.co/aaaaaaaaaab",
      [link(T1, "https://a.example/")],
      [],
      "https://a.example/b",
      "what follows an address",
    ],
    [T1, [link(T1, T1)], [], T1, "a link that nothing is known of"],
    ["", [], [], "", "nothing"],
  ])("%s: %s", (shown, links, added, written) => {
    expect(writtenText(shown, links, added)).toBe(written);
  });

  it("is the original text, whatever was escaped", () => {
    for (const text of ["R&D", "&amp;", "<<&>>", "&&lt;", "plain"]) {
      expect(writtenText(escapeText(text))).toBe(text);
    }
  });
});
