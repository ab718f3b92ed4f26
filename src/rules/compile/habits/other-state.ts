import { inlineEntries, inlineYaml } from "./inline-yaml.ts";
import { isPlainMap } from "./plain-map.ts";
import { statePathFor } from "../../expression/state-names.ts";
import { ownMember } from "../../../system/own-member.ts";

/** Declaration of state in another tool's form. */
interface OtherState {
  /** Paths of the state in this language, such as `state.sender.n`. */
  readonly names: readonly string[];
  readonly help: string | undefined;
}

const FORMS = "write one of:  sender.NAME, conversation.NAME, account.NAME";
const OWNERS: Readonly<Record<string, string>> = {
  user: "sender",
  person: "sender",
  member: "sender",
  author: "sender",
  chat: "conversation",
  thread: "conversation",
  bot: "account",
  global: "account",
  shared: "account",
};

/** Translates state that is declared as a list: `state: [sender.n]` and `state: [{sender.n: 0}]`. */
export function listedState(value: unknown): OtherState {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const entries = items.flatMap((one): readonly (readonly [string, unknown])[] =>
    typeof one === "string" ? [[one, 0]] : isPlainMap(one) ? Object.entries(one) : [],
  );
  if (entries.length === 0) return { names: [], help: undefined };
  const named = entries.map(([name, one]) => [ownName(name), one] as const);
  return {
    names: named.map(([name]) => `state.${name}`),
    help: `write  state: { ${inlineEntries(Object.fromEntries(named))} }`,
  };
}

/** Translates an entry under `state:`, such as `n: 0`, `user.n: 0` or `sender: {n: 0}`. */
export function otherState(name: string, value: unknown): OtherState {
  const owner = ownMember(OWNERS, name) ?? name;
  if (isPlainMap(value) && /^(?:sender|conversation|account)$/.test(owner)) {
    const entries = Object.entries(value).map(([key, one]) => [`${owner}.${key}`, one] as const);
    return {
      names: entries.map(([key]) => `state.${key}`),
      help: `write  ${inlineEntries(Object.fromEntries(entries))}`,
    };
  }
  const own = ownName(name);
  return /^[a-z]+\.\w+$/.test(own)
    ? { names: [`state.${own}`], help: `did you mean "${own}"?` }
    : { names: [], help: FORMS };
}

function ownName(name: string): string {
  const [, owner = "", leaf = ""] = /^(?:state\.)?(\w+)\.(\w+)$/.exec(name) ?? [];
  const stateOwner = ownMember(OWNERS, owner);
  return stateOwner === undefined
    ? statePathFor(name, []).replace(/^state\./, "")
    : `${stateOwner}.${leaf}`;
}

const TYPES: Readonly<Record<string, unknown>> = {
  number: 0,
  int: 0,
  integer: 0,
  float: 0,
  string: "",
  str: "",
  boolean: false,
  bool: false,
  array: [],
};

/** Returns, as YAML, the default that another tool writes as a map, or implies by the name of a type. */
export function otherDefault(value: unknown): string | undefined {
  if (typeof value === "string") return ofType(value);
  if (!isPlainMap(value)) return undefined;
  const defaultKey = ["default", "value", "initial", "initial_value"].find(
    (key) => value[key] !== undefined,
  );
  if (defaultKey !== undefined) return inlineYaml(value[defaultKey]);
  return typeof value["type"] === "string" ? ofType(value["type"]) : undefined;
}

function ofType(name: string): string | undefined {
  return Object.hasOwn(TYPES, name) ? inlineYaml(TYPES[name]) : undefined;
}
