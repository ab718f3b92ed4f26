import { expect, it } from "vitest";
import { isNestedDeeper } from "../../src/text/json-depth.ts";

const lists = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

it.each([
  { why: "lists as deep as allowed", json: lists(3), deeper: false },
  { why: "lists one deeper", json: lists(4), deeper: true },
  { why: "objects and lists", json: '{"a":[{"b":[1]}]}', deeper: true },
  { why: "many side by side", json: '[[1],[2],[{"a":1}],[]]', deeper: false },
  { why: "brackets in a text", json: '{"a":"[[[[[{{{{{"}', deeper: false },
  { why: "brackets behind an escaped quote", json: String.raw`{"a":"\"[[[[["}`, deeper: false },
  { why: "a text that ends in a backslash", json: String.raw`["\\",[[[1]]]]`, deeper: true },
  { why: "a text that does not end", json: '["[[[[', deeper: false },
  { why: "200,000 lists", json: lists(200_000), deeper: true },
])("$why: $deeper", ({ json, deeper }) => {
  expect(isNestedDeeper(json, 3)).toBe(deeper);
});
