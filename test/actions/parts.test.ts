import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { MESSAGE_LENGTH, partsOf, textParts } from "../../src/actions/parts.ts";

describe("a message that is longer than the platform accepts", () => {
  test.each([
    { why: "at a sentence", text: "One two. Three four.", parts: ["One two.", "Three four."] },
    { why: "at a paragraph", text: "One two\nthree four", parts: ["One two", "three four"] },
    { why: "else at a word", text: "one two three four", parts: ["one two", "three four"] },
    { why: "else anywhere", text: "onetwothreefour", parts: ["onetwothree", "four"] },
    { why: "no emoji in two", text: "onetwothre🙂four", parts: ["onetwothre", "🙂four"] },
  ])("is parted $why", ({ text, parts }) => {
    expect(textParts(text, 11)).toEqual(parts);
  });

  it("loses nothing but white space, and no part is too long or empty", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 80 });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 20 }), (written, length) => {
        const parts = textParts(written, length);

        expect(parts.join("").replaceAll(/\s/g, "")).toBe(written.replaceAll(/\s/g, ""));
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(length);
          expect(part.trim()).not.toBe("");
        }
      }),
    );
  });

  it("is sent to the same person, part by part; a short text is unchanged", () => {
    const sentence = "This goes on and on. ";
    const long = { type: "reply_dm", to: "200", text: sentence.repeat(1_000) } as const;
    const short = { ...long, text: sentence.repeat(10) };

    expect(partsOf(short)).toEqual([short]);
    const parts = partsOf(long);
    expect(parts).toHaveLength(Math.ceil(long.text.length / MESSAGE_LENGTH));
    expect(
      parts.every((part) => part.to === "200" && "text" in part && part.text.endsWith("on.")),
    ).toBe(true);
  });
});

describe("a post that is longer than the platform accepts", () => {
  it("is split by the weight of its links, even if it has few characters", () => {
    const text = Array(13).fill("a.co").join(" ");
    const parts = partsOf({ type: "create_post", to: "100", text });

    expect(text.length).toBeLessThan(70);
    expect(parts.map((part) => ("text" in part ? part.text.split(" ").length : 0))).toEqual([
      11, 2,
    ]);
  });
});
