import { expect, it } from "vitest";
import { textAsWritten } from "../../../src/cli/output/text-as-written.ts";

const link = { url: "https://t.co/a", expanded_url: "https://shop.example" };

it.each([
  { urls: [{ ...link, media_key: null }], text: "see https://shop.example", why: "no picture" },
  { urls: [{ ...link, media_key: "3_1" }], text: "see", why: "a picture" },
  { urls: [{ ...link, expanded_url: null }], text: "see https://t.co/a", why: "no address" },
  { urls: null, text: "see https://t.co/a", why: "no list" },
])("shows a text whose link has $why", ({ urls, text }) => {
  expect(textAsWritten({ text: "see https://t.co/a", entities: { urls } })).toBe(text);
});
