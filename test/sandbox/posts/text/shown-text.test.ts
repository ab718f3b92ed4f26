import { describe, expect, it } from "vitest";
import { displayRange, shownText } from "../../../../src/sandbox/rendering/shown-text.ts";

describe("a text as the platform shows it", () => {
  it("has HTML characters escaped, and offsets in the escaped text", () => {
    const { text, entities } = shownText("👋 R&D <#now> @ana");

    expect(text).toBe("👋 R&amp;D &lt;#now&gt; @ana");
    const letters = Array.from(text);
    expect(
      entities.map(({ kind, start, end }) => [kind, letters.slice(start, end).join("")]),
    ).toEqual([
      ["hashtag", "#now"],
      ["mention", "@ana"],
    ]);
  });

  it("has short addresses, the same for the same page", () => {
    const { text, entities } = shownText(
      "a https://a.example/?x=1&y=2 b https://a.example/?x=1&y=2.",
    );

    expect(text).toMatch(/^a (https:\/\/t\.co\/\w{10}) b \1\.$/);
    expect(entities).toMatchObject([
      { start: 2, end: 25, page: "https://a.example/?x=1&y=2" },
      { start: 28, end: 51, page: "https://a.example/?x=1&y=2" },
    ]);
  });

  it("ends with generated links to its attachments", () => {
    const shown = shownText("so", [
      { kind: "quote", page: "https://platform.example/ana/status/1" },
      { kind: "media", page: "https://platform.example/ben/status/2/photo/1" },
    ]);

    expect(shown.text).toMatch(/^so https:\/\/t\.co\/\w{10} https:\/\/t\.co\/\w{10}$/);
    expect(displayRange(shown)).toEqual([0, 26]);
  });

  it("is the text itself if nothing needs escaping", () => {
    expect(shownText("hi @ana #now").text).toBe("hi @ana #now");
  });
});
