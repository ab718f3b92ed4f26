import { didYouMean } from "../../text/did-you-mean.ts";

/** Function that expressions can call, with a signature such as `random(int, int): int`. */
interface Callable {
  readonly name: string;
  readonly signature: string;
}

/** Returns a hint that corrects an expression that the parser or the type checker rejected. */
export function helpForExpression(
  summary: string,
  token: string,
  functions: readonly Callable[],
): string {
  const said = summary.toLowerCase();
  const typed = helpForTypes(summary, token, functions);
  if (typed !== undefined) return typed;
  if (said.includes("reserved identifier: if")) return "write  CONDITION ? VALUE :OTHER_VALUE";
  const call = /overload for '(?:[\w<>., ]+\.)?(\w+)\(/.exec(summary)?.[1];
  if (call !== undefined) return helpForCall(call, summary, functions);
  if (said.includes("expected rparen")) return "close it: add )";
  if (said.includes("expected rbracket")) return "close it: add ]";
  if (said.includes("expected rbrace")) return "close it: add }";
  if (said.includes("has() invalid argument")) return "has takes a field, as  has(message.text)";
  if (said.includes("unterminated")) return `end the text: ${token}${token.slice(0, 1)}`;
  if (said.includes("eof")) return "finish it, as  sender.verified && sender.followers_count > 100";
  if (/must be bool|requires bool|overload: !/.test(said)) {
    return 'write a comparison, as  message.text != ""';
  }
  if (/unexpected character: \p{L}/u.test(said)) {
    return 'put a text in quotes; read a name with other letters than a to z as  vars["größe"]';
  }
  if (said.includes("unexpected character")) return "to compare with a text, put it in quotes";
  if (said.includes("cannot index"))
    return "this value has no parts: capture a part of a text with a pattern,  matches: '^(?P<first>.)'  and  captures.first";
  return "write it as  sender.verified && sender.followers_count > 100";
}

/** Values in place of an absent one, by the type that they must have. */
const STAND_INS: Readonly<Record<string, string>> = {
  string: '""',
  int: "0",
  double: "0.0",
  bool: "false",
};

/** Returns the help for values whose types do not fit together, or `undefined`. */
function helpForTypes(
  summary: string,
  token: string,
  functions: readonly Callable[],
): string | undefined {
  const [, wanted] =
    /^optional\.orValue\(value\) argument .* got '([^']+)' and/.exec(summary) ?? [];
  if (wanted !== undefined) {
    const standIn = STAND_INS[wanted] ?? (wanted.startsWith("list<") ? "[]" : undefined);
    if (standIn !== undefined) return `write a value of the same type, as  .orValue(${standIn})`;
  }
  if (summary.startsWith("Ternary branches")) return "both values are texts, or both are numbers";
  if (summary.startsWith("List elements")) return "all items are texts, or all are numbers";
  if (summary === "no such overload: -string") {
    return `write  -number(${token.replace(/^-\s*/, "")})  to convert it`;
  }
  const isText = summary === "Cannot index type 'string'";
  const [, of = "", index] = /^([\s\S]*?)\[([^[\]]+)\]$/.exec(token) ?? [];
  if (isText && token === "orValue") return 'write the value in its place, as  .orValue("")';
  if (isText && functions.some(({ name }) => name === token)) return `call it:  .${token}()`;
  if (isText && index !== undefined) {
    const end = /^\d+$/.test(index) ? String(Number(index) + 1) : `${index} + 1`;
    return `write  ${of}.substring(${index}, ${end})`;
  }
  const isListByText = summary.startsWith("List index must be int, got 'string'");
  return isListByText && index !== undefined ? `write  ${index} in ${of}` : undefined;
}

/** Advice for functions of other languages that have no counterpart with the same arguments. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:round|floor|ceil|trunc|toFixed|to_fixed)$/i,
    "write  int(X)  for a whole number: 1.5 becomes 1",
  ],
  [/^(?:max|min)$/i, "write  A > B ? A :B"],
  [/^abs$/i, "write  X < 0 ? -X : X"],
  [
    /^(?:replace|replaceAll|re_?sub|sub|gsub|remove|words|word|args|slice_words|removeprefix)$/i,
    "capture the part with a pattern:  matches: '^/echo (?P<rest>.+)$'  and  captures.rest",
  ],
  [
    /^(?:strftime|format|format_?date|date|toISOString|isoformat|toLocaleString)$/i,
    'write parts of the time, as  timestamp(now).getHours("Europe/Berlin"), .getMonth() (January is 0) or .getDayOfMonth()',
  ],
];

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

function helpForCall(name: string, summary: string, functions: readonly Callable[]): string {
  const forms = functions.filter((one) => one.name === name);
  if (name === "random" && /random\(\)/.test(summary))
    return "write  random(1, 100)  for a whole number, or  chance(0.5)  for true or false";
  if (name === "random" && /random\((?:dyn|list[^,]*)\)/.test(summary))
    return "write  LIST[random(0, LIST.size() - 1)]";
  if (forms.length > 0) {
    const signatures = forms.map(({ signature }) => signature.replace(/: [^:]*$/, ""));
    return `it is called as ${signatures.slice(0, 3).join(", or ")}`;
  }
  const advice = ADVICE.find(([pattern]) => pattern.test(name))?.[1];
  if (advice !== undefined) return advice;
  const names = [...new Set(functions.map((one) => one.name))];
  const meant = Object.hasOwn(MEANT, name) ? MEANT[name] : undefined;
  const guess = meant !== undefined && names.includes(meant) ? meant : didYouMean(name, names);
  return guess === undefined ? `functions: ${names.join(", ")}` : `did you mean "${guess}"?`;
}
