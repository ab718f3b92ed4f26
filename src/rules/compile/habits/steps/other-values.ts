import { asText } from "../../../../text/as-text.ts";
import { isPlainMap, type WrittenMap } from "../plain-map.ts";
import { timeOf } from "../other-times.ts";
import type { StateOwner } from "../../../schema/state-keys.ts";
import { STATE_PATH, statePathFor } from "../../../expression/state-names.ts";

const ADDING = /^(?:increment|increase|incr?|add|add_to|plus)$/i;
const LESSENING = /^(?:decrement|decrease|decr?|subtract|minus)$/i;
const APPENDING = /^(?:append|append_to|push|add_to_list)$/i;
const REMEMBERING =
  /^(?:set|set_?state|set_?slot|slot_?was_?set|remember|store|save|assign|set_?variable|set_?attribute)$/i;
const COUNTING = /^count$/i;

/**
 * Translates a step of another tool that stores, adds or counts values.
 *
 * @param declared Paths of state that the rule file declares.
 * @param owner Owner of a value that the step names without an owner.
 */
export function keepingStep(
  verb: string,
  value: unknown,
  declared: readonly string[],
  owner: StateOwner,
): WrittenMap | undefined {
  const name = (one: string): string => statePathFor(one, declared, owner);
  if (COUNTING.test(verb)) return counted(value);
  if (REMEMBERING.test(verb)) return remembered(value, name);
  if (APPENDING.test(verb)) return appended(value, name, declared);
  if (ADDING.test(verb)) return added(value, name, 1);
  return LESSENING.test(verb) ? added(value, name, -1) : undefined;
}

function remembered(value: unknown, read: (name: string) => string): WrittenMap | undefined {
  const maps: readonly unknown[] = Array.isArray(value) ? value : [value];
  const entries = maps.flatMap((one) =>
    isPlainMap(one) ? named(one) : typeof one === "string" ? assigned(one) : [],
  );
  return entries.length === 0 ? undefined : keeping("set", entries, read);
}

/** Splits an assignment such as `state.sender.greeted = true` into name and value. */
function assigned(text: string): readonly (readonly [string, unknown])[] {
  const [, name, written = ""] = /^([\w.]+)\s*:?=(?!=)\s*(.+)$/s.exec(text.trim()) ?? [];
  if (name === undefined) return [];
  if (/^(?:true|false|-?\d+(?:\.\d+)?)$/.test(written)) return [[name, JSON.parse(written)]];
  const [, quoted] = /^["'](.*)["']$/s.exec(written) ?? [];
  return [[name, quoted ?? `\${{ ${written} }}`]];
}

function keeping(
  step: "set" | "increment",
  entries: readonly (readonly [string, unknown])[],
  read: (name: string) => string,
): WrittenMap | undefined {
  const readEntries = entries.map(([name, one]) => [read(name), one] as const);
  return readEntries.every(([name]) => name === "for" || STATE_PATH.test(name))
    ? { [step]: Object.fromEntries(readEntries) }
    : undefined;
}

/** Returns names and values: `x` and 1 for `{name: x, value: 1}` and for `{x: 1}`. */
function named(map: WrittenMap): readonly (readonly [string, unknown])[] {
  const { name, key, variable, counter, value, amount, by } = map;
  const writtenName = name ?? key ?? variable ?? counter;
  const writtenValue = value ?? amount ?? by;
  return typeof writtenName === "string" && writtenValue !== undefined
    ? [[writtenName, writtenValue]]
    : Object.entries(map);
}

function added(
  value: unknown,
  read: (name: string) => string,
  sign: 1 | -1,
): WrittenMap | undefined {
  if (typeof value === "string") {
    const name = read(value);
    if (!STATE_PATH.test(name)) return undefined;
    return { increment: sign === 1 ? name : { [name]: sign } };
  }
  if (!isPlainMap(value)) return undefined;
  const entries = named(value).map(
    ([name, one]) => [name, sign === -1 && typeof one === "number" ? -one : one] as const,
  );
  return keeping("increment", entries, read);
}

/** Translates `append: {PATH: VALUE}` into a `set` step that stores the list with the value added. */
function appended(
  value: unknown,
  read: (name: string) => string,
  declared: readonly string[],
): WrittenMap | undefined {
  // a list without a value is a list of people, such as the entrants of a draw
  if (typeof value === "string" && /^\w+$/.test(value)) {
    const path = declared.find((one) => one.endsWith(`.${value}`)) ?? `state.account.${value}`;
    return appended({ [path]: "${{ sender.username }}" }, read, declared);
  }
  if (!isPlainMap(value)) return undefined;
  const entries = named(value).map(([name, one]) => {
    const path = read(name);
    const inner = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(asText(one))?.[1]?.trim();
    const before = declared.includes(path) ? path : `${path}.orValue([])`;
    return [path, `\${{ ${before} + [${inner ?? JSON.stringify(one)}] }}`] as const;
  });
  return entries.length === 0 ? undefined : keeping("set", entries, read);
}

const WINDOW: ReadonlySet<string> = new Set(["within", "in", "over", "period", "for", "last"]);

/** Translates `count: {name: "variant-${{ x }}"}`: a count has a fixed name, and a key that can vary. */
function keyedCount(map: WrittenMap): WrittenMap | undefined {
  const { name, key, window } = map;
  const [, fixed = "", inner] = /^([^$]*)\$\{\{(.+)\}\}$/s.exec(asText(name)) ?? [];
  const own = fixed.replaceAll(/[^\w-]+|[-_]+$/g, "");
  if (inner === undefined || key !== undefined || !/^[A-Za-z]/.test(own)) return undefined;
  return {
    count: { ...map, name: own, key: `\${{ ${inner.trim()} }}`, window: window ?? "7d" },
  };
}

/** Translates `count: entries` and `count: {name: entries, within: 1 week}` into a `count` step with a `window`. */
function counted(value: unknown): WrittenMap | undefined {
  if (typeof value === "string" && /^[\w-]+$/.test(value)) {
    return { count: { name: value, window: "7d" } };
  }
  if (!isPlainMap(value)) return undefined;
  const keyed = keyedCount(value);
  if (keyed !== undefined) return keyed;
  if (value["window"] !== undefined) return undefined;
  const key = Object.keys(value).find((one) => WINDOW.has(one));
  const time = key === undefined ? undefined : timeOf(value[key]);
  if (key === undefined || time === undefined) return undefined;
  const others = Object.entries(value).filter(([one]) => one !== key);
  return { count: { ...Object.fromEntries(others), window: time } };
}
