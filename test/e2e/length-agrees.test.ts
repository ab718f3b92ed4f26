import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { splitPost } from "../../src/client/public-text/split-post.ts";
import { PlatformError } from "../../src/client/errors.ts";
import { characterEnds, cut } from "../../src/protocol/public-text/cut.ts";
import { entitiesOf } from "../../src/protocol/public-text/entities.ts";
import { weightedLength } from "../../src/protocol/public-text/length.ts";
import { cutToWeight } from "../../src/protocol/public-text/split.ts";
import { compile } from "../../src/rules/compile/compile.ts";
import { sendable } from "../../src/rules/expression/seen-text.ts";
import { type World, world } from "../client/support/world.ts";

const COUNT = 1_000;
const LIMIT = 280;

const LATIN = [
  "the",
  "queue",
  "naïve",
  "Größe",
  "it’s",
  "“so”",
  "—",
  "e.g.",
  "3.14",
  "R&D",
  "<b>",
  "a…",
];
const SCRIPTS = [
  "今日は",
  "営業時間",
  "。",
  "カフェ",
  "한국어",
  "Привет",
  "ελλάδα",
  "שלום",
  "مرحبا",
  "สวัสดี",
  "नमस्ते",
  "、",
];
const EMOJI = [
  "👨‍👩‍👧‍👦",
  "🇳🇴",
  "🇯🇵🇳🇴",
  "👍🏽",
  "7️⃣",
  "#️⃣",
  "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
  "❤️",
  "❤",
  "©",
  "™️",
  "🏳️‍🌈",
  "👩🏾‍🚀",
  "🧑‍🤝‍🧑",
  "🇳",
  "🏽",
  "\u200d",
  "\ufe0f",
];
const LINKS = [
  "https://shop.example.com/a?b=c&d=1",
  "http://example.com/x_(tea)",
  "https://t.co/abcDEF1234",
  "https://t.co/abcDEF1234?x=1",
  `https://example.com/${"long/".repeat(70)}`,
  "example.com",
  "sub.domain.co.uk/path#frag",
  "bücher.com",
  "https://例え.jp/パス",
  "http://例え.テスト",
  "https://xn--r8jz45g.jp",
  "https://example.com:8080/?q=日本",
  "user@example.com",
  "file.txt",
  "https://example.com/?a=b.",
  "(example.org)",
  "example.com.",
  "https://example.com/@ana",
  "http://-bad-.com",
  "https://example.com/é",
];
const SIGNS = ["@ana", "＠ana", "#tea", "＃営業時間", "$TWTR", "@ana/list", "RT@ana:"];
const MARKS = [
  "e\u0301",
  "n\u0303",
  "\u0301",
  "か\u3099",
  "a\u0300\u0301\u0302\u0303",
  "\u1e9b\u0323",
  "각",
  "Å",
];
const BREAKS = [
  " ",
  " ",
  " ",
  "",
  "\n",
  "\n\n",
  "\r\n",
  "\u2028",
  "\u0085",
  "\u00a0",
  "\u3000",
  "\t",
  "\u200b",
  "\u2060",
  "\u202e",
  ". ",
  "! ",
];

const WORDS = fc.oneof(
  ...[LATIN, SCRIPTS, EMOJI, LINKS, SIGNS, MARKS].map((words) => fc.constantFrom(...words)),
);
const PIECES = fc.array(fc.tuple(WORDS, fc.constantFrom(...BREAKS)), {
  minLength: 1,
  maxLength: 120,
  size: "max",
});
/** Generator of texts. With `fill`, a text is cut or padded to about the maximum length of a post. */
const MIXED = fc.record({
  pieces: PIECES,
  fill: fc.boolean(),
  over: fc.integer({ min: -2, max: 3 }),
});

/** Joins the pieces to a text, and trims it like the texts that rules send. */
function textOf({
  pieces,
  fill,
  over,
}: {
  pieces: [string, string][];
  fill: boolean;
  over: number;
}): string {
  const parts = pieces.map(([word, gap]) => word + gap);
  if (!fill) return parts.join("").trim();
  while (parts.length > 1 && weightedLength(parts.join("")) > LIMIT - 4) parts.pop();
  const start = `${parts.join("").trim()} `;
  const missing = LIMIT + over - weightedLength(start);
  return `${start}${"x".repeat(Math.max(0, missing))}`.trim();
}

let texts: readonly string[];
let here: World;
beforeAll(async () => {
  const drawn = fc.sample(MIXED, { numRuns: COUNT + 100, seed: 280 }).map(textOf);
  texts = [...new Set(drawn)].filter((text) => text !== "").slice(0, COUNT);
  here = await world("post");
  await here.sandbox.control.call("PATCH", "/settings", { limits: { enabled: false } });
});
afterAll(() => here.close());

/** Returns the indices of the texts that `check` reports as too long for a post. */
function tooLongForCheck(): readonly number[] {
  const files = texts.map((text, index) => {
    const rule = {
      id: `post-${index}`,
      triggers: ["user.followed"],
      actions: [{ create_post: { text, long: "fail" } }],
    };
    return { path: `${index}.yaml`, text: `version: 1\nrules:\n  - ${JSON.stringify(rule)}\n` };
  });
  const { problems } = compile(files);
  const tooLong = problems.filter(({ code }) => code === "post-too-long");
  return tooLong.map(({ file }) => Number.parseInt(file, 10)).toSorted((a, b) => a - b);
}

const isTooLong = ({ refusal }: PlatformError): boolean =>
  refusal.status === 403 &&
  (refusal.v1Code === 186 || refusal.detail?.includes("longer than 280 characters") === true);

/**
 * Publishes a text, by version 2 or 1.1 of the platform's API. Returns whether the text is accepted.
 *
 * @throws for any error other than the length
 */
async function isTaken(text: string, index: number): Promise<boolean> {
  try {
    if (index % 2 === 0) await here.bot.posts.create({ text });
    else
      await here.bot.request({
        method: "POST",
        endpoint: "/1.1/statuses/update.json",
        form: { status: text },
      });
    return true;
  } catch (error) {
    if (error instanceof PlatformError && isTooLong(error)) return false;
    throw new Error(`text ${index}: ${JSON.stringify(text)}`, { cause: error });
  }
}

it("the sandbox refuses exactly the texts that check reports as too long for a post, in version 2 and 1.1", async () => {
  const refused: number[] = [];
  for (const [index, text] of texts.entries()) {
    if (!(await isTaken(sendable(text).trim(), index))) refused.push(index);
  }

  expect(texts.length).toBe(COUNT);
  expect(tooLongForCheck()).toEqual(refused);
  expect(refused.length).toBeGreaterThan(COUNT / 4);
  expect(refused.length).toBeLessThan((COUNT * 3) / 4);
});

it("the parts of a thread lose nothing but white space between them, are whole, and fit", () => {
  const faults = texts.flatMap((text) =>
    [LIMIT, 60, 23].flatMap((limit) => faultsOfSplit(text, limit)),
  );

  expect(faults).toEqual([]);
});

/** Returns the guarantees of `splitPost` that a split text violates. */
function faultsOfSplit(text: string, limit: number): readonly string[] {
  const parts = splitPost(text, limit);
  const places = placesIn(text, parts);
  const characters = new Set([0, ...characterEnds(text)]);
  const links = linkSpans(text);
  // A combining mark after a link's last letter is not part of the link. At the smallest limit, the link fits into a
  // part only without this mark.
  const whole = links.filter(({ start, end }) => characters.has(start) && characters.has(end));
  const faults = places.flatMap(({ part, start, end }) => {
    const isCut = (link: Span): boolean =>
      (link.start < start && start < link.end) || (link.start < end && end < link.end);
    const inside = links.filter((link) => link.start >= start && link.end <= end);
    const written = inside.map((link) => text.slice(link.start, link.end));
    const own = linkSpans(part).map((link) => part.slice(link.start, link.end));
    const broken = {
      "is too long": weightedLength(part) > limit,
      "has white space around it": part === "" || part !== part.trimEnd() || BLANK_START.test(part),
      "cuts a character": !characters.has(start) || !characters.has(end),
      "cuts a link": whole.some(isCut),
      // The smallest limits cut long words, and a cut word can look like a link.
      "makes links": limit >= 60 && own.join(" ") !== written.join(" "),
    };
    return Object.entries(broken).flatMap(([fault, is]) => (is ? [`${part}: ${fault}`] : []));
  });
  const isLost = withoutSpace(parts.join("")) !== withoutSpace(text);
  return [...faults, ...(isLost ? ["lost text"] : [])].map((one) => `${one} (${limit}): ${text}`);
}

/** Matches white space at the start of a text, unless a combining mark follows it. */
const BLANK_START = /^\s(?![\p{M}\p{EMod}\u200d])/u;

function withoutSpace(text: string): string {
  return text.replaceAll(/\s/g, "");
}

/** Range of offsets in UTF-16 units. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns the place of each part in the text. */
function placesIn(text: string, parts: readonly string[]): readonly (Span & { part: string })[] {
  let from = 0;
  return parts.map((part) => {
    const start = text.indexOf(part, from);
    from = start + part.length;
    return { part, start, end: from };
  });
}

/** Returns the places of links in a text, in UTF-16 units. */
function linkSpans(text: string): readonly Span[] {
  const units = [0];
  let unit = 0;
  for (const point of text) units.push((unit += point.length));
  return entitiesOf(text)
    .filter(({ kind }) => kind === "url")
    .map(({ start, end }) => ({ start: units[start] ?? 0, end: units[end] ?? 0 }));
}

it("a text cut to one post, and one cut by truncate, fit, end between characters, and keep links whole", () => {
  const faults = texts.flatMap((text) => {
    const characters = new Set([0, ...characterEnds(text)]);
    const check = (shown: string, fits: boolean, how: string): string[] => {
      const textLength = shown === text ? text.length : shown.length - 1;
      const begins = text.startsWith(shown.slice(0, textLength));
      const link = linkSpans(text).find(({ start, end }) => start < textLength && textLength < end);
      if (begins && fits && characters.has(textLength) && link === undefined) return [];
      return [`${how}: ${JSON.stringify(text)} → ${JSON.stringify(shown)}`];
    };
    const post = cutToWeight(text, 100);
    const short = cut(text, 50);
    return [
      ...check(post, weightedLength(post) <= 100, "cutToWeight"),
      ...check(short, Array.from(short).length <= 50, "cut"),
    ];
  });

  expect(faults).toEqual([]);
});
