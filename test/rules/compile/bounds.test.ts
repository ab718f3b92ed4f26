import { describe, expect, test } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";

/** Returns codes and messages of the errors in a rule that answers messages, with these keys and steps. */
function errorsOf({ keys = "", steps = "{reply_dm: hi}", rules = "" }: Written): string[] {
  const rule = `{id: a, triggers: [dm.received], ${keys} actions: [${steps}]}`;
  const text = `version: 1\nrules: [${rule}${rules}]\n`;
  const { problems } = compile([{ path: "a.yaml", text }]);
  return problems
    .filter(({ severity }) => severity === "error")
    .map(({ code, message }) => `${code}: ${message}`);
}

interface Written {
  readonly keys?: string;
  readonly steps?: string;
  /** Further rules, with a comma before each. */
  readonly rules?: string;
}

const limit = (max: string | number) => ({ keys: `limit: {max: ${max}, in: 1h},` });
const mode = (max: string | number) => ({ keys: `mode: queued, max: ${max},` });
const retry = (attempts: string | number) => ({
  steps: `{http: {url: 'https://a.example/'}, retry: {attempts: ${attempts}}}`,
});
const repeat = (count: string | number) => ({
  steps: `{repeat: {count: ${count}, sequence: [{log: hi}]}}`,
});
const rounds = (max: string | number) => ({
  steps: `{repeat: {while: 'true', max: ${max}, sequence: [{log: hi}]}}`,
});
const ask = (retries: string | number) => ({
  steps: `{ask: {text: Yes?, expect: {in: [yes]}, within: 1h, retries: ${retries}}}`,
});
const status = (expected: string | number) => ({
  steps: `{http: {url: 'https://a.example/', expect_status: ${expected}}}`,
});
const weight = (value: string | number) => ({
  steps: `{reply_dm: {options: [{text: a, weight: ${value}}, {text: b}]}}`,
});
const ruleId = (length: number) => ({ keys: `group: ${"g".repeat(length)},` });
const account = (handle: string) => ({ keys: `account: '${handle}',` });
const wait = (value: string) => ({ steps: `{delay: ${value}}` });
const counting = (window: string) => ({
  steps: `{count: {name: seen, per: sender, window: ${window}}}`,
});
const reached = (at: string | number) => ({
  ...counting("1d"),
  rules: `, {id: b, triggers: [{trigger: count.reached, of: seen, at: ${at}}], actions: [{log: hi}]}`,
});
const letters = (length: number): string => "x".repeat(length);
const countKey = (length: number) => ({
  steps: `{count: {name: seen, key: ${letters(length)}, window: 1d}}`,
});
const runKey = (length: number) => ({ keys: `mode: queued, key: ${letters(length)},` });
const stopKey = (length: number) => ({
  steps: `{stop_run: {rule: b, key: ${letters(length)}}}`,
  rules: ", {id: b, triggers: [dm.received], mode: queued, key: x, actions: [{delay: 1h}]}",
});
const variable = (length: number) => ({
  keys: `variables: {long: ${letters(length)}},`,
  steps: "{reply_dm: '${{ vars.long.truncate(9) }}'}",
});
const added = (by: number) => ({ steps: `{increment: {state.sender.n: ${by}}}` });
const stored = (length: number) => ({ steps: `{set: {state.sender.long: ${letters(length)}}}` });
const storedFor = (time: string) => ({ steps: `{set: {state.sender.seen: 1, for: ${time}}}` });
const evidence = (length: number) => ({
  steps: `{escalate: {queue: q, evidence: ${letters(length)}}}`,
});
const listed = (length: number): string =>
  Array.from({ length }, (_, index) => `l${index}`).join(", ");
const forEach = (length: number, keys = "") => ({
  steps: `{repeat: {for_each: [${listed(length)}], ${keys} sequence: [{log: hi}]}}`,
});
const labels = (length: number) => ({ steps: `{label: {add: [${listed(length)}]}}` });
const askedFor = (time: string) => ({ steps: `{ask: {text: Yes?, within: ${time}}}` });
const awaitedFor = (time: string) => ({
  steps: `{wait_for: {trigger: dm.received, within: ${time}}}`,
});
const stepTimeout = (time: string) => ({
  steps: `{http: {url: 'https://a.example/'}, timeout: ${time}}`,
});
const maxAge = (time: string) => ({ keys: `max_age: ${time},` });
const cooldown = (value: string) => ({ keys: `cooldown: {per: sender, for: ${value}},` });
const limitIn = (value: string) => ({ keys: `limit: {max: 5, in: ${value}},` });
const active = (from: string, to: string) => ({
  keys: `active: {from: '2026-03-01T00:00:${from}Z', to: '2026-03-01T00:00:${to}Z'},`,
});

describe("the bounds of numbers in rule files", () => {
  test.each([
    { why: "the smallest limit", written: limit(1) },
    { why: "the largest limit", written: limit(1_000) },
    { why: "the smallest room of a mode", written: mode(1) },
    { why: "the largest room of a mode", written: mode(1_000) },
    { why: "the fewest attempts", written: retry(2) },
    { why: "the most attempts", written: retry(20) },
    { why: "one repetition", written: repeat(1) },
    { why: "the most repetitions", written: repeat(1_000) },
    { why: "one round", written: rounds(1) },
    { why: "the most rounds", written: rounds(1_000) },
    { why: "a question that is not repeated", written: ask(0) },
    { why: "the most repeated questions", written: ask(10) },
    { why: "the lowest status", written: status(100) },
    { why: "the highest status", written: status(599) },
    { why: "statuses in a list", written: status("[200, 404]") },
    { why: "a weight below 1", written: weight(0.5) },
    { why: "a handle of 20 characters", written: account("a".repeat(20)) },
    { why: "a handle with @", written: account("@shop_bot") },
    { why: "a wait of nothing", written: wait("0s") },
    { why: "the shortest range", written: wait("{min: 30s, max: 30s}") },
    { why: "the longest wait", written: wait("36500d") },
    { why: "a limit in the shortest time", written: limitIn("1ms") },
    { why: "the shortest cooldown", written: cooldown("1ms") },
    { why: "a count in the shortest time", written: counting("1ms") },
    { why: "a second of being active", written: active("00", "01") },
    { why: "the lowest number of a count", written: reached(1) },
    { why: "the highest number of a count", written: reached(1_000) },
    { why: "the longest key of a count", written: countKey(200) },
    { why: "the longest key of a run", written: runKey(500) },
    { why: "the longest key of a stopped run", written: stopKey(500) },
    { why: "the longest variable", written: variable(9_998) },
    { why: "the longest stored text", written: stored(16_382) },
    { why: "the longest evidence", written: evidence(19_998) },
    { why: "a list of as many items as rounds", written: forEach(100) },
    { why: "a longer list with more rounds", written: forEach(1_000, "max: 1000,") },
    { why: "the most labels", written: labels(100) },
    { why: "the largest amount", written: added(Number.MAX_SAFE_INTEGER) },
    { why: "the largest weight", written: weight(1e6) },
    { why: "the shortest time for an answer", written: askedFor("1ms") },
  ])("accepts: $why", ({ written }) => {
    expect(errorsOf(written)).toEqual([]);
  });

  test.each([
    { why: "a limit of nothing", written: limit(0) },
    { why: "a limit past the largest", written: limit(1_001) },
    { why: "a mode without room", written: mode(0) },
    { why: "a mode past the largest room", written: mode(1_001) },
    { why: "one attempt", written: retry(1) },
    { why: "attempts past the most", written: retry(21) },
    { why: "no repetition", written: repeat(0) },
    { why: "repetitions past the most", written: repeat(1_001) },
    { why: "no round", written: rounds(0) },
    { why: "rounds past the most", written: rounds(1_001) },
    { why: "questions below nothing", written: ask(-1) },
    { why: "questions past the most", written: ask(11) },
    { why: "a status of two digits", written: status(99) },
    { why: "a status of more than 599", written: status(600) },
    { why: "no status", written: status("[]") },
    { why: "a weight of nothing", written: weight(0) },
    { why: "a weight below nothing", written: weight(-1) },
    { why: "a handle of 21 characters", written: account("a".repeat(21)) },
    { why: "a handle with a dot", written: account("shop.bot") },
    { why: "a wait below nothing", written: wait("-1s") },
    { why: "a wait without a unit", written: wait("30") },
    { why: "a wait past the longest", written: wait("36501d") },
    { why: "a wait past all dates", written: wait("999999999d") },
    { why: "a limit in no time", written: limitIn("0s") },
    { why: "a cooldown of no time", written: cooldown("00m") },
    { why: "a count in no time", written: counting("0h") },
    { why: "an end at the beginning", written: active("01", "01") },
    { why: "a count of nothing", written: reached(0) },
    { why: "a number past the highest of a count", written: reached(1_001) },
    { why: "a number far past the highest of a count", written: reached(1e9) },
    { why: "a key past the longest of a count", written: countKey(201) },
    { why: "a key past the longest of a run", written: runKey(501) },
    { why: "a key past the longest of a stopped run", written: stopKey(501) },
    { why: "a variable past the longest", written: variable(9_999) },
    { why: "a stored text past the longest", written: stored(16_383) },
    { why: "evidence past the longest", written: evidence(19_999) },
    { why: "a list of more items than rounds", written: forEach(101) },
    { why: "a list of more items than a run has rounds", written: forEach(1_001, "max: 1000,") },
    { why: "labels past the most", written: labels(101) },
    { why: "an amount past all sums", written: added(1e300) },
    { why: "a weight past the largest", written: weight(1e308) },
    { why: "no time for an answer", written: askedFor("0s") },
    { why: "no time for an event", written: awaitedFor("0s") },
    { why: "no time for an attempt", written: stepTimeout("0s") },
    { why: "an age that no event has", written: maxAge("0s") },
    { why: "a value that is forgotten at once", written: storedFor("0m") },
  ])("refuses: $why", ({ written }) => {
    expect(errorsOf(written)).toEqual([expect.stringMatching(/^invalid-value: ./)]);
  });

  const repeated = (count: number, inner: string) =>
    `{repeat: {count: ${count}, sequence: [${inner}]}}`;
  test.each([
    { why: "once", steps: repeated(1_000, "{log: hi}"), warns: [] },
    { why: "nested, 990 in all", steps: repeated(90, repeated(10, "{log: hi}")), warns: [] },
    {
      why: "nested, more than a run may begin",
      steps: repeated(91, repeated(10, "{log: hi}")),
      warns: ["these repeats come to 1001 rounds, and a run fails after 1000"],
    },
    {
      why: "one after the other",
      steps: `${repeated(501, "{log: hi}")}, ${repeated(500, "{log: hi}")}`,
      warns: ["these repeats come to 1001 rounds, and a run fails after 1000"],
    },
    {
      why: "inside a condition",
      steps: repeated(91, `{if: 'repeat.index > 80', then: [${repeated(10, "{log: hi}")}]}`),
      warns: [],
    },
  ])("warns of more rounds than a run may begin: $why", ({ steps, warns }) => {
    const rule = `{id: a, triggers: [dm.received], actions: [${steps}]}`;
    const { problems } = compile([{ path: "a.yaml", text: `version: 1\nrules: [${rule}]\n` }]);

    expect(problems.map(({ message }) => message)).toEqual(warns);
  });

  test.each([
    { length: 64, code: /^unknown-group: / },
    { length: 65, code: /^invalid-value: an id has / },
  ])("checks the length of an id: $length", ({ length, code }) => {
    expect(errorsOf(ruleId(length))).toEqual([expect.stringMatching(code)]);
  });
});
