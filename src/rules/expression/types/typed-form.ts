import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { extended } from "../extended.ts";
import { inside } from "../syntax-tree.ts";
import type { KnownTypes } from "./known-types.ts";

/** An expression to be checked with narrower types than it is evaluated with; each part stands where it stood. */
export interface TypedForm {
  readonly source: string;
  readonly environment: Environment;
}

/**
 * Gives an expression's form for the check: state has the type that was declared, or that of what stands in for it, and
 * variables have that of their values. What is evaluated has no such types: values kept by an earlier version of the
 * rules may be of another one.
 *
 * @returns `undefined` where no type is narrower.
 */
export function typedForm(
  source: string,
  ast: ASTNode,
  environment: Environment,
  known: KnownTypes,
): TypedForm | undefined {
  const uses = usesIn(ast);
  if (uses.length === 0) return undefined;
  const types = typesOf(uses, environment, known);
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

/** The type that a variable is evaluated with: kept as JSON, a decimal may come back as a whole number. */
export function evaluatedType(type: string): string {
  return type === "double" || type === "list<double>" ? "dyn" : type;
}

/** State or a variable that an expression reads. */
interface TypedUse {
  /** `state.sender.score`, `vars.price`. */
  readonly path: string;
  /** The first name of the path. */
  readonly root: ASTNode;
  /** What stands in where it is absent. */
  readonly standIn?: ASTNode;
}

const PATH = /^(?:state\.\w+\.\w+|vars\.\w+|repeat\.(?:index|item))$/;
const ROOTS: ReadonlySet<string> = new Set(["state", "vars", "repeat"]);

/** All uses; empty where one is not by name. */
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

/** `state.sender.score` of an access to it, by `.` or `.?`; empty where it is anything else. */
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
  known: KnownTypes,
): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const { path, standIn } of uses) {
    const type = typeAt(path, known) ?? (standIn && typeIn(environment, standIn)) ?? "dyn";
    if ((types.get(path) ?? "dyn") === "dyn") types.set(path, type);
  }
  return types;
}

/** The CEL type of state or of a variable, where it is known. */
export function knownType(node: ASTNode, known: KnownTypes): string | undefined {
  return typeAt(pathOf(node), known);
}

function typeAt(path: string, { state, vars, item }: KnownTypes): string | undefined {
  if (path === "repeat.item") return item;
  if (path === "repeat.index") return "int";
  if (!path.startsWith("vars.")) return state.get(path)?.type;
  const name = path.slice("vars.".length);
  return Object.hasOwn(vars, name) ? vars[name] : undefined;
}

/** The CEL type of a part of an expression; `dyn` where it has none of its own. */
export function typeIn(environment: Environment, node: ASTNode): string {
  try {
    const checked = environment.parse(node.input.slice(node.start, node.end)).check();
    return checked.type ?? "dyn";
  } catch {
    return "dyn";
  }
}

/** Roots in the form for the check, as long as those that rules write. No rule can write them. */
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
