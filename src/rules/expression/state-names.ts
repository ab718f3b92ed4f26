import type { ASTNode } from "@marcbachmann/cel-js";
import { didYouMean } from "../../text/did-you-mean.ts";
import type { Mistake } from "../../config/problem.ts";
import type { Json } from "../../protocol/json.ts";
import { triggersWithout } from "../schema/fields.ts";
import { STATE_OWNERS, type StateOwner, type StateUse } from "../schema/state-keys.ts";
import { visit } from "./syntax-tree.ts";

/** Value of user state that a rule file declares under `state`. */
export interface DeclaredState {
  /** Default value, which rules read until a value is stored. */
  readonly value: Json;
  /** CEL type of the value. */
  readonly type: string;
}

/** Mistake in how an expression reads state. `offset` and `length` are within its source. */
export interface StateFault {
  readonly mistake: Mistake;
  readonly offset: number;
  readonly length: number;
}

const NAME = /^[A-Za-z_]\w{0,63}$/;

/** Returns the user state that an expression reads, and a fault for each path of state that can't exist. */
export function stateIn(
  node: ASTNode,
  scope: StateScope,
): {
  readonly uses: readonly StateUse[];
  readonly faults: readonly StateFault[];
} {
  const uses: StateUse[] = [];
  const faults: StateFault[] = [];
  const whole = new Set<ASTNode>();
  visit(node, (one) => {
    const path = whole.has(one) ? undefined : pathOf(one);
    if (path === undefined) return;
    visit(one, (inner) => void whole.add(inner));
    const [root, owner = "", name] = path;
    if (root === "sender" && owner === "labels") uses.push({ kind: "labels" });
    if (root === "sender" && owner === "is_new") uses.push({ kind: "met" });
    if (root !== "state") return;
    const mistake = stateMistake(owner, name) ?? lacksPerson(owner, scope);
    if (mistake) faults.push({ mistake, offset: one.start, length: one.end - one.start });
    else if (isOwner(owner) && name !== undefined) uses.push(valueUse(owner, name, scope));
  });
  return { uses, faults };
}

/** Describes a value of user state that a rule uses, with the default that the rule file declares. */
export function valueUse(
  of: StateOwner,
  name: string,
  { declared }: Pick<StateScope, "declared">,
): Extract<StateUse, { readonly kind: "value" }> {
  const declaredState = declared?.get(`state.${of}.${name}`);
  return { kind: "value", of, name, ...(declaredState && { default: declaredState.value }) };
}

/** Returns whether `path` has the form `state.OWNER.NAME`. */
export function isStateValue(path: string): boolean {
  const [root, owner = "", name, ...deeper] = path.split(".");
  return root === "state" && isOwner(owner) && name !== undefined && deeper.length === 0;
}

/** Returns the mistake in `state.OWNER.NAME`, if any. */
export function stateMistake(owner: string, name: string | undefined): Mistake | undefined {
  const code = "unknown-field";
  if (!isOwner(owner)) {
    const guess = didYouMean(owner, STATE_OWNERS);
    const help =
      guess === undefined
        ? `write one of: ${STATE_OWNERS.map((one) => `state.${one}`).join(", ")}`
        : `did you mean "${guess}"?`;
    return { code, message: `state has no "${owner}"`, help };
  }
  if (name !== undefined && NAME.test(name)) return undefined;
  if (name !== undefined && name !== "") {
    return {
      code,
      message: `"${name}" is not a valid name of state: it has letters from a to z, digits and _`,
      help: `write such a name:  state.${owner}.NAME`,
    };
  }
  return {
    code,
    message: `"state.${owner}" holds several values`,
    help: `name one:  state.${owner}.NAME`,
  };
}

/** Triggers and fields of a rule, which show whether every event has a person, and the state that its file declares. */
export interface StateScope {
  readonly triggers: readonly string[];
  readonly fields: ReadonlyMap<string, unknown>;
  readonly declared?: ReadonlyMap<string, DeclaredState>;
}

/** Returns the mistake of reading a person's state if some trigger has no person. */
export function lacksPerson(owner: string, { triggers, fields }: StateScope): Mistake | undefined {
  if (owner !== "sender" || fields.has("sender.id") || triggers.length === 0) return undefined;
  const message = `"state.sender" needs a person, which ${triggersWithout("sender.id", triggers)} doesn't always carry`;
  return { code: "field-not-on-trigger", message, help: "write  state.account.NAME" };
}

export function isOwner(word: string): word is StateOwner {
  return STATE_OWNERS.some((owner) => owner === word);
}

/** Splits `a.b.c` or `a.?b.c` into its parts; `undefined` for anything else. */
function pathOf(node: ASTNode): readonly string[] | undefined {
  if (node.op === "id") return [node.args];
  if (node.op !== "." && node.op !== ".?" && node.op !== "[]") return undefined;
  const [object, member] = node.args;
  const parent = pathOf(object);
  if (parent === undefined) return undefined;
  if (typeof member === "string") return [...parent, member];
  return member.op === "value" && typeof member.args === "string"
    ? [...parent, member.args]
    : undefined;
}

/** Matches a path of state that steps can change. */
export const STATE_PATH = /^state\.(?:sender|conversation|account)\.\w+$/;

/**
 * Converts a name as other tools write it to a path of state: `n`, `sender.n` and `slots.n` become `state.sender.n`.
 *
 * @param defaultOwner Owner of a bare name. A rule whose events have no person has no state of the sender.
 */
export function statePathFor(
  name: string,
  declared: readonly string[],
  defaultOwner: StateOwner = "sender",
): string {
  if (name === "for" || STATE_PATH.test(name)) return name;
  const [, owner, leaf = name] =
    /^(?:state|slots?|session|vars|user|memory)?\.?(?:(sender|conversation|account)\.)?(\w+)$/.exec(
      name.replace(/^state\.(?:user|person|author|from)\./, "state.sender."),
    ) ?? [];
  const declaredPath = declared.find((one) => one.endsWith(`.${leaf}`));
  return owner === undefined && declaredPath !== undefined
    ? declaredPath
    : `state.${owner ?? defaultOwner}.${leaf}`;
}
