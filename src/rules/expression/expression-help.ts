import { didYouMean } from "../../config/did-you-mean.ts";

/** Returns a hint that corrects an expression that the parser or the type checker rejected. */
export function helpForExpression(
  summary: string,
  token: string,
  names: readonly string[],
): string {
  const said = summary.toLowerCase();
  const call = /overload for '(?:[\w<>, ]+\.)?(\w+)\(/.exec(summary)?.[1];
  if (call !== undefined) return helpForCall(call, names);
  if (said.includes("expected rparen")) return "close it: add )";
  if (said.includes("expected rbracket")) return "close it: add ]";
  if (said.includes("unterminated")) return `end the text: ${token}${token.slice(0, 1)}`;
  if (said.includes("eof")) return "finish it, as  sender.verified && sender.followers_count > 100";
  if (said.includes("unexpected character")) return "to compare with a text, put it in quotes";
  return "write it as  sender.verified && sender.followers_count > 100";
}

/** Functions of other languages, with their names in CEL. */
const MEANT: Readonly<Record<string, string>> = {
  len: "size",
  length: "size",
  count: "size",
  toLowerCase: "lower",
  tolower: "lower",
  lowercase: "lower",
  downcase: "lower",
  toUpperCase: "upper",
  uppercase: "upper",
  includes: "contains",
  has_text: "contains",
  startswith: "startsWith",
  starts_with: "startsWith",
  endswith: "endsWith",
  ends_with: "endsWith",
  str: "string",
  toString: "string",
  parseInt: "number",
  parseFloat: "decimal",
  slice: "substring",
  substr: "substring",
  strip: "trim",
};

function helpForCall(name: string, names: readonly string[]): string {
  const meant = Object.hasOwn(MEANT, name) ? MEANT[name] : undefined;
  const others = names.filter((one) => one !== name);
  const guess = meant !== undefined && names.includes(meant) ? meant : didYouMean(name, others);
  if (guess !== undefined) return `did you mean "${guess}"?`;
  if (names.includes(name)) return `check the arguments of "${name}"`;
  return `functions: ${others.join(", ")}`;
}
