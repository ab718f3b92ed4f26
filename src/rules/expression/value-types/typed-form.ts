import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { extended } from "../extended.ts";
import { inside } from "../syntax-tree.ts";
import type { KnownTypes } from "./known-types.ts";

/** Rewritten expression for the type check: state and variables have more exact types. Offsets are unchanged. */
export interface TypedForm {
  readonly source: string;
  readonly environment: Environment;
}

/**
 * Returns the form of an expression for the check. In this form, state has its declared type or the type of its default
 * in `orValue`, and variables have the types of their values. The evaluation uses wider types: values stored by an
 * earlier version of the rules may have another type.
 *
 * @returns `undefined` if no type is narrower.
 */
export function typedForm(
  source: string,
  ast: ASTNode,
  environment: Environment,
  knownTypes: KnownTypes,
): TypedForm | undefined {
  const uses = usesIn(ast);
  if (uses.length === 0) return undefined;
  const types = typesOf(uses, environment, knownTypes);
  const isNarrower = [...types].some(([path, type]) =>
    path.startsWith("vars.") ? type !== evaluatedType(type) : type !== "dyn",
  );
  if (!isNarrower) return undefined;
  const names = JSON.stringify([...types].sort(([one], [other]) => (one < other ? -1 : 1)));
  return {
    source: uses.reduce((text, { root }) => renamed(text, root), source),
    environment: extended(environment, `typed ${names}`, (copy) => declared(copy, types)),
  };
}

/** Returns the type of a variable at evaluation: stored as JSON, a decimal may come back as a whole number. */
export function evaluatedType(type: string): string {
  return type === "double" || type === "list<double>" ? "dyn" : type;
}

/** Read of state or of a variable in an expression. */
interface TypedUse {
  /** Path: `state.sender.score`, `vars.price`. */
  readonly path: string;
  /** Node of the path's first name, such as `state`, in the syntax tree. */
  readonly root: ASTNode;
  /** Argument of `orValue`, the default if the state is absent. */
  readonly standIn?: ASTNode;
}

const PATH = /^(?:state\.\w+\.\w+|vars\.\w+|repeat\.(?:index|item))$/;
const ROOTS: ReadonlySet<string> = new Set(["state", "vars", "repeat"]);

/** Returns all reads of state and variables; empty if the name of any of them is computed. */
function usesIn(ast: ASTNode): readonly TypedUse[] {
  const uses: TypedUse[] = [];
  return look(ast) ? uses : [];

  function look(node: ASTNode): boolean {
    if (node.op === "rcall" && node.args[0] === "orValue") {
      const [, of, [standIn]] = node.args;
      const path = pathOf(of);
      if (PATH.test(path) && standIn !== undefined) {
        uses.push({ path, root: rootOf(of), standIn });
        return look(standIn);
      }
    }
    const path = pathOf(node);
    if (PATH.test(path)) {
      uses.push({ path, root: rootOf(node) });
      return true;
    }
    if (node.op === "id") return !ROOTS.has(node.args);
    return inside(node).every((child) => look(child));
  }
}

/** Returns the path of an access by `.` or `.?`, such as `state.sender.score`; empty for anything else. */
export function pathOf(node: ASTNode): string {
  if (node.op === "id") return node.args;
  if (node.op !== "." && node.op !== ".?") return "";
  const [of, name] = node.args;
  const parent = pathOf(of);
  return parent === "" ? "" : `${parent}.${name}`;
}

function rootOf(node: ASTNode): ASTNode {
  const [first] = inside(node);
  return first === undefined ? node : rootOf(first);
}

function typesOf(
  uses: readonly TypedUse[],
  environment: Environment,
  knownTypes: KnownTypes,
): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const { path, standIn } of uses) {
    const type = typeAt(path, knownTypes) ?? (standIn && typeIn(environment, standIn)) ?? "dyn";
    if ((types.get(path) ?? "dyn") === "dyn") types.set(path, type);
  }
  return types;
}

/** Returns the known CEL type of state or of a variable. */
export function knownType(node: ASTNode, knownTypes: KnownTypes): string | undefined {
  return typeAt(pathOf(node), knownTypes);
}

function typeAt(path: string, { state, vars, item }: KnownTypes): string | undefined {
  if (path === "repeat.item") return item;
  if (path === "repeat.index") return "int";
  if (!path.startsWith("vars.")) return state.get(path)?.type;
  const name = path.slice("vars.".length);
  return Object.hasOwn(vars, name) ? vars[name] : undefined;
}

/** Returns the CEL type of a part of an expression; `dyn` if it can't be checked alone. */
export function typeIn(environment: Environment, node: ASTNode): string {
  try {
    const checked = environment.parse(node.input.slice(node.start, node.end)).check();
    return checked.type ?? "dyn";
  } catch {
    return "dyn";
  }
}

/** Names that replace `state`, `vars` and `repeat` in the form for the check: equally long, and unusable in rules. */
const RENAMED: Readonly<Record<string, string>> = {
  state: "stat_",
  vars: "var_",
  repeat: "repea_",
};

function renamed(source: string, { start, end }: ASTNode): string {
  return source.slice(0, start) + (RENAMED[source.slice(start, end)] ?? "") + source.slice(end);
}

function declared(copy: Environment, types: ReadonlyMap<string, string>): Environment {
  const members = new Map<string, Record<string, string>>();
  for (const [path, type] of types) {
    const dot = path.lastIndexOf(".");
    const parent = path.slice(0, dot);
    members.set(parent, { ...members.get(parent), [path.slice(dot + 1)]: type });
  }
  const owners: Record<string, string> = {};
  for (const [parent, fields] of members) {
    const name = `typed_${parent.replace(".", "_")}`;
    copy.registerType(name, { fields });
    if (parent in RENAMED) copy.registerVariable(RENAMED[parent] ?? "", name);
    else owners[parent.slice("state.".length)] = name;
  }
  if (Object.keys(owners).length > 0) {
    copy.registerType("typed_state", { fields: owners }).registerVariable("stat_", "typed_state");
  }
  return copy;
}
