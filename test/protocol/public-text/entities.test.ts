import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { entitiesOf } from "../../../src/protocol/public-text/entities.ts";

const inWords = (text: string): readonly string[] =>
  entitiesOf(text).map(({ kind, word, list = "" }) => `${kind} ${word}${list}`);

describe("a mention", () => {
  it.each([
    { text: "hi @ana!", is: ["mention ana"] },
    { text: "＠ana 你好@ben", is: ["mention ana", "mention ben"] },
    { text: "RT@ana: hi", is: ["mention ana"] },
    { text: "(@ana/friends)", is: ["mention ana/friends"] },
    { text: "@ana@ben, !@ana, x@ana.io, @anaç, @", is: [] },
    { text: "@name_of_15_char", is: ["mention name_of_15_char"] },
    { text: "@name_of_16_chars", is: [] },
  ])("in $text: $is", ({ text, is }) => {
    expect(inWords(text)).toEqual(is);
  });
});

describe("a tag", () => {
  it.each([
    { text: "#tea ＃営業時間 #été", is: ["hashtag tea", "hashtag 営業時間", "hashtag été"] },
    { text: "#2026 a#b &#39; #️⃣ #a#b", is: [] },
    { text: "#a1 #1a", is: ["hashtag a1", "hashtag 1a"] },
    { text: "$TWTR $brk.a", is: ["cashtag TWTR", "cashtag brk.a"] },
    { text: "$10 x$ABC $TOOLONGNAME", is: [] },
  ])("in $text: $is", ({ text, is }) => {
    expect(inWords(text)).toEqual(is);
  });

  it("of any length is read in one go", () => {
    const long = "a".repeat(400_000);
    expect(entitiesOf(`#${long}`).map(({ end }) => end)).toEqual([400_001]);
    expect(entitiesOf(`#${long}#`)).toEqual([]);
    expect(entitiesOf(`#${"1".repeat(400_000)}`)).toEqual([]);
  });
});

describe("a link", () => {
  it.each([
    { text: "see https://shop.example/a?b=c, ok", is: ["url https://shop.example/a?b=c"] },
    { text: "(http://shop.com/x_(tea).)", is: ["url http://shop.com/x_(tea)"] },
    { text: "shop.com and SHOP.CO.UK/x", is: ["url shop.com", "url SHOP.CO.UK/x"] },
    { text: "茶shop.com茶", is: ["url shop.com"] },
    { text: "https://bücher.com:8080/ü#x", is: ["url https://bücher.com:8080/ü#x"] },
    { text: "file.txt a@shop.com v1.2.3 e.g. shop.com@x", is: [] },
    {
      text: "https://shop.com/@ana #x https://shop.com/#tag",
      is: ["url https://shop.com/@ana", "hashtag x", "url https://shop.com/#tag"],
    },
    { text: "shop.example", is: [] },
  ])("in $text: $is", ({ text, is }) => {
    expect(inWords(text)).toEqual(is);
  });
});

it("offsets count code points", () => {
  expect(entitiesOf("👋 @ana 👋 shop.com")).toMatchObject([
    { start: 2, end: 6 },
    { start: 9, end: 17 },
  ]);
});

it("entities are in order, do not overlap, and equal the text at their offsets", () => {
  const unit = fc.constantFrom(
    ...Array.from("@＠#＃$./:?=&_-() ab1é茶👋"),
    "https://",
    "shop.com",
    "@ana",
    "#tea",
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 40 }), (units) => {
      const text = units.join("");
      const points = Array.from(text);
      let from = 0;
      for (const { kind, word, list = "", start, end } of entitiesOf(text)) {
        expect(start).toBeGreaterThanOrEqual(from);
        const written = points.slice(start, end).join("");
        expect(kind === "url" ? written : written.slice(1)).toBe(word + list);
        from = end;
      }
    }),
  );
});
