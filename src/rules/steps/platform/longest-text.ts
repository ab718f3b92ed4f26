import type { ASTNode } from "@marcbachmann/cel-js";
import { HANDLE_LENGTH, NAME_LENGTH } from "../../../protocol/limits.ts";
import { weightedLength } from "../../../protocol/public-text/length.ts";
import type { TextTemplate } from "../../expression/template.ts";
import { ownMember } from "../../../system/own-member.ts";

/** Expression whose value has a known maximum length, which `.truncate(N)` can reduce. */
export interface LongPart {
  readonly source: string;
  /** Greatest length in characters. */
  readonly most: number;
}

/** Maximum lengths of fields in characters, by the last name of their path. Texts that people write are absent. */
const MAX_LENGTHS: Readonly<Record<string, number>> = {
  name: NAME_LENGTH,
  username: HANDLE_LENGTH,
};

/** Returns the parts of a text with a known greatest length, longest first. */
export function longParts({ expressions }: TextTemplate): readonly LongPart[] {
  return expressions
    .flatMap(({ ast, source }) => {
      const most = longest(ast);
      return most === undefined ? [] : [{ source, most }];
    })
    .toSorted((a, b) => b.most - a.most);
}

/** Returns the greatest length of a value in characters; `undefined` if it is unknown. */
function longest(node: ASTNode): number | undefined {
  if (node.op === "value") {
    return typeof node.args === "string" ? weightedLength(node.args) : undefined;
  }
  if (node.op === ".") return ownMember(MAX_LENGTHS, node.args[1]);
  if (node.op === "+") return sum(node.args.map(longest));
  if (node.op === "?:") return greatest(node.args.slice(1).map(longest));
  return node.op === "rcall" ? ofCall(...node.args) : undefined;
}

function ofCall(name: string, of: ASTNode, args: readonly ASTNode[]): number | undefined {
  if (name === "truncate") {
    const [length] = args;
    const most = length?.op === "value" ? Number(length.args) : NaN;
    return Number.isNaN(most) ? undefined : Math.min(most, longest(of) ?? most);
  }
  return name === "upper" || name === "lower" ? longest(of) : undefined;
}

function sum(lengths: readonly (number | undefined)[]): number | undefined {
  return lengths.every((one) => one !== undefined)
    ? lengths.reduce((total, one) => total + one, 0)
    : undefined;
}

function greatest(lengths: readonly (number | undefined)[]): number | undefined {
  return lengths.every((one) => one !== undefined) ? Math.max(...lengths) : undefined;
}
