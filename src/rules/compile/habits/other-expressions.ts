/** Reads a name as another tool has it; the name itself, where it is known. */
type ReadName = (name: string) => string;

const NAME = String.raw`[A-Za-z_$][\w.$]*`;
const TEXT = String.raw`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'`;

/**
 * An expression as other tools write it, as CEL has it: `contains(a, 'b')`, `x && 'a' || 'b'`, `${{ a }} == 'b'`.
 *
 * @returns The source itself where nothing of that is in it.
 */
export function celOf(source: string, readName: ReadName): string {
  let read = withoutBraces(source);
  for (const [habit, form] of HABITS) read = read.replaceAll(habit, form);
  return withNames(read, readName);
}

const OPERATORS: Readonly<Record<string, string>> = {
  and: "&&",
  or: "||",
  not: "!",
  "=": "==",
  "===": "==",
  "!==": "!=",
  "<>": "!=",
};

const OPERATOR_WORDS = new RegExp(
  String.raw`${TEXT}|(?<![\w.])(?:and|or|not)(?![\w.:])|[!=]==|<>|(?<![=!<>])=(?!=)`,
  "g",
);

/** An expression with operators of other languages as CEL has them. */
export function withOperators(source: string): string {
  const read = source.replaceAll(OPERATOR_WORDS, (token) => OPERATORS[token] ?? token);
  return read.replaceAll(/!\s+(?=[\w(!])/g, "!");
}

/** `${{ a }} == 'b'` and `{{ a }}`, without braces; a text in which an expression stands keeps only that. */
function withoutBraces(source: string): string {
  if (!/\{\{/.test(source)) return source;
  const rest = source.replaceAll(/\$?\{\{[\s\S]*?\}\}/g, " ").trim();
  const isExpression = rest === "" || /[=<>!&|]/.test(rest);
  const first = /\$?\{\{([\s\S]*?)\}\}/.exec(source)?.[1] ?? "";
  if (!isExpression) return first.trim();
  return source.replaceAll(/\$?\{\{\s*([\s\S]*?)\s*\}\}/g, "$1").trim();
}

/** A share in per cent as a number: `0.3` of `30`. */
function share(percent: string): string {
  const number = String(Number(percent) / 100);
  return number.includes(".") ? number : `${number}.0`;
}

/** Returns the expression that draws from a list: `["a", "b"][random(0, 1)]`. */
function drawnOf(list: string): string {
  if (!list.startsWith("[")) return `${list}[random(0, ${list}.size() - 1)]`;
  const texts = list.match(new RegExp(TEXT, "g"))?.length ?? list.split(",").length;
  return `${list}[random(0, ${texts - 1})]`;
}

const LIST = String.raw`\[[^\[\]]*\]|${NAME}`;

const HABITS: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [
    new RegExp(
      String.raw`(?<![\w.])(contains|includes|has_word)\(\s*(${NAME})\s*,\s*(${TEXT})\s*\)`,
      "g",
    ),
    (_whole, _verb, name = "", text = "") => `${name}.has_word(${text})`,
  ],
  [
    new RegExp(
      String.raw`(?<![\w.])(startsWith|starts_with|endsWith|ends_with)\(\s*(${NAME})\s*,\s*(${TEXT})\s*\)`,
      "gi",
    ),
    (_whole, verb = "", name = "", text = "") =>
      `${name}.lower().${/^s/i.test(verb) ? "startsWith" : "endsWith"}(${text.toLowerCase()})`,
  ],
  [
    new RegExp(String.raw`(${NAME})\.includes\(\s*(${TEXT})\s*\)`, "g"),
    (_whole, name = "", text = "") => `${name}.has_word(${text})`,
  ],
  [
    new RegExp(
      String.raw`(${NAME})\.(?:toLowerCase|lowercase|downcase)\(\)\s*===?\s*(${TEXT})`,
      "g",
    ),
    (_whole, name = "", text = "") => `${name}.same(${text})`,
  ],
  [new RegExp(String.raw`(${NAME})\s*===?\s*(?:'true'|"true")`, "g"), (_whole, name = "") => name],
  [
    new RegExp(String.raw`^\s*(.+?)\s*&&\s*(${TEXT})\s*\|\|\s*(${TEXT})\s*$`, "g"),
    (_whole, test = "", yes = "", no = "") =>
      // a colon with a blank behind it would end a text without quotes
      `${test} ? ${yes} :${no}`,
  ],
  [
    /(?<![\w.])chance\(\s*["']?(\d+(?:\.\d+)?)\s*%["']?\s*\)/g,
    (_whole, percent = "") => `chance(${share(percent)})`,
  ],
  [
    new RegExp(
      String.raw`(?<![\w.])(?:random|choice|pick|sample|one_of|random_choice|random_item)\(\s*(${LIST})\s*\)`,
      "g",
    ),
    (_whole, list = "") => drawnOf(list),
  ],
  [
    new RegExp(String.raw`(?<![\w.])(?:len|length|count)\(\s*(${NAME})\s*\)`, "g"),
    (_whole, name = "") => `${name}.size()`,
  ],
  [
    new RegExp(String.raw`(${NAME})\.(?:length|len|count)(?:\(\)|(?![\w(]))`, "g"),
    (_whole, name = "") => `${name}.size()`,
  ],
  [
    new RegExp(String.raw`(${NAME})\.(?:push|append|add)\(\s*(${NAME}|${TEXT})\s*\)`, "g"),
    (_whole, name = "", item = "") => `${name} + [${item}]`,
  ],
  [
    new RegExp(String.raw`(${NAME})\s*\|\s*(trim|lower|upper)\b(?:\(\))?`, "g"),
    (_whole, name = "", filter = "") => `${name}.${filter}()`,
  ],
];

const NAMES = new RegExp(String.raw`${TEXT}|(?<![\w.$)\]])${NAME}(?!\w)`, "g");

/** The expression, each name outside of texts read. */
function withNames(source: string, readName: ReadName): string {
  return source.replaceAll(NAMES, (token, offset: number) => {
    if (/^["']/.test(token)) return token;
    const isCall = source[offset + token.length] === "(";
    const [, owner = token, verb = ""] = isCall ? (/^(.*)(\.\w+)$/.exec(token) ?? []) : [];
    return isCall && verb === "" ? token : `${readName(owner)}${verb}`;
  });
}

const PATTERN_MATCH = new RegExp(
  String.raw`^\s*(${NAME})\s*=~\s*(?:(${TEXT})|/(.+)/[gimsuy]*)\s*$|^\s*(${NAME})\.matches\(\s*(${TEXT})\s*\)\s*$`,
);

/** The field and the pattern of an expression that only matches one with the other. */
export function patternMatch(
  source: string,
): { readonly field: string; readonly pattern: string } | undefined {
  const [, first, quoted, bare, called, argument] = PATTERN_MATCH.exec(source) ?? [];
  const field = first ?? called;
  const text = quoted ?? argument;
  const pattern = text === undefined ? bare : text.slice(1, -1).replaceAll("\\\\", "\\");
  return field === undefined || pattern === undefined ? undefined : { field, pattern };
}

/** A list and what is added to it, as another tool has it; undefined, where it is not the whole expression. */
export function withItem(source: string): string | undefined {
  const [, list, item] =
    new RegExp(String.raw`^\s*(${NAME})\s*\+\s*(${NAME}|${TEXT})\s*$`).exec(source) ?? [];
  return list === undefined || item === undefined ? undefined : `${list} + [${item}]`;
}

/** An expression whose texts stand in single quotes, so that it can stand in double ones. */
export function inSingleQuotes(expression: string): string {
  return expression.replaceAll(/"((?:\\.|[^"\\])*)"/g, (whole: string, inner: string) =>
    /['\\]/.test(inner) ? whole : `'${inner}'`,
  );
}
