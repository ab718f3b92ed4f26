/** Translates a name of another tool; returns a known name unchanged. */
type ReadName = (name: string) => string;

const NAME = String.raw`[A-Za-z_$][\w.$]*`;
const TEXT = String.raw`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'`;

/**
 * Translates an expression of other tools into CEL: `contains(a, 'b')`, `x && 'a' || 'b'`, `${{ a }} == 'b'`.
 *
 * @returns The source itself if it has no such syntax.
 */
export function celOf(source: string, readName: ReadName): string {
  return translated(source, HABITS, readName);
}

/** Translates an expression that this language refuses, like {@link celOf}. */
export function celOfRefused(source: string, readName: ReadName): string {
  return translated(source, [...HABITS_OF_REFUSED, ...HABITS], readName);
}

/** Replaces tests of the presence of a text that is always present, but may be empty: `has(message.text)`. */
export function withEmptyTexts(source: string, isPresent: (name: string) => boolean): string {
  return source.replaceAll(/(!?)has\(([\w.]+)\)/g, (whole: string, not: string, name: string) =>
    isPresent(name) ? `${name} ${not === "" ? "!" : "="}= ""` : whole,
  );
}

function translated(source: string, habits: readonly Habit[], readName: ReadName): string {
  let read = withoutBraces(source);
  for (const [habit, form] of habits) read = read.replaceAll(habit, form);
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

/** Replaces operators of other languages by those of CEL. */
export function withOperators(source: string): string {
  const read = source.replaceAll(OPERATOR_WORDS, (token) => OPERATORS[token] ?? token);
  return read.replaceAll(/!\s+(?=[\w(!])/g, "!");
}

/**
 * Removes the braces of `${{ a }} == 'b'` and `{{ a }}`. If text is around an expression, returns only the expression.
 */
function withoutBraces(source: string): string {
  if (!/\{\{/.test(source)) return source;
  const rest = source.replaceAll(/\$?\{\{[\s\S]*?\}\}/g, " ").trim();
  const isExpression = rest === "" || /[=<>!&|]/.test(rest);
  const first = /\$?\{\{([\s\S]*?)\}\}/.exec(source)?.[1] ?? "";
  if (!isExpression) return first.trim();
  return source.replaceAll(/\$?\{\{\s*([\s\S]*?)\s*\}\}/g, "$1").trim();
}

/** Converts a percentage to a share of one: `0.3` for `30`. */
function share(percent: string): string {
  const number = String(Number(percent) / 100);
  return number.includes(".") ? number : `${number}.0`;
}

/** Returns the expression that draws an item of a list: `["a", "b"][random(0, 1)]`. */
function drawnOf(list: string): string {
  if (!list.startsWith("[")) return `${list}[random(0, ${list}.size() - 1)]`;
  const texts = list.match(new RegExp(TEXT, "g"))?.length ?? list.split(",").length;
  return `${list}[random(0, ${texts - 1})]`;
}

const LIST = String.raw`\[[^\[\]]*\]|${NAME}`;

/** Matches the last part of fields that hold a text, or a list of texts. */
const OF_TEXT = /(?:^|\.)(?:\w*text|name|username|description|location)$/;
const OF_LIST = String.raw`(?<![\w.$])${NAME}\.(?:labels|hashtags|cashtags|mentions|urls)`;

/** Converts a number with a letter for thousands, or with separators: `10k`, `10,000`. */
function plainNumber(written: string): string {
  const digits = written.replaceAll(/[,_k]/gi, "");
  return /k$/i.test(written) ? `${digits}000` : digits;
}

/** Functions that return a part of a time, by the names of other languages. */
const PARTS: Readonly<Record<string, string>> = {
  weekday: "getDayOfWeek",
  day_of_week: "getDayOfWeek",
  dayofweek: "getDayOfWeek",
  day: "getDate",
  minute: "getMinutes",
  year: "getFullYear",
};

type Habit = readonly [RegExp, (...groups: string[]) => string];

/** Syntax that is valid in this language for some values, such as the results of steps. */
const HABITS_OF_REFUSED: readonly Habit[] = [
  [
    new RegExp(String.raw`(${TEXT})\s+not\s+in\s+(${NAME})(?![\w(])`, "g"),
    (_whole, text = "", name = "") => `!(${text} in ${name})`,
  ],
  [
    new RegExp(String.raw`(${TEXT})\s+in\s+(${NAME})(?![\w(])`, "g"),
    (whole, text = "", name = "") =>
      OF_TEXT.test(name) ? `${name}.contains_any([${text}])` : whole,
  ],
  [
    new RegExp(String.raw`(?<![\w.$])(${NAME})\s*([!=])==?\s*(?:null|None|none)\b`, "g"),
    (_whole, name = "", sign = "") => `${sign === "=" ? "!" : ""}has(${name})`,
  ],
  [
    new RegExp(String.raw`(?<![\w.$])(?:null|None|none)\s*([!=])==?\s*(${NAME})(?![\w(])`, "g"),
    (_whole, sign = "", name = "") => `${sign === "=" ? "!" : ""}has(${name})`,
  ],
  [
    new RegExp(String.raw`(?<![\w.$])(${NAME})\s+is\s+(not\s+)?(?:null|none|empty)\b`, "gi"),
    (_whole, name = "", not = "") => `${not === "" ? "!" : ""}has(${name})`,
  ],
  [
    new RegExp(String.raw`(?<![\w.$])(${NAME})\s*(?:~|\bi?like\b)\s*(${TEXT})`, "gi"),
    (_whole, name = "", text = "") => `${name}.contains(${text.replaceAll("%", "")})`,
  ],
  [
    new RegExp(
      String.raw`(?<![\w.$])(${NAME}(?:\(\))?)\s+between\s+(-?[\d.]+)\s+and\s+(-?[\d.]+)`,
      "gi",
    ),
    (_whole, name = "", from = "", to = "") => `${name} >= ${from} && ${name} <= ${to}`,
  ],
  [
    new RegExp(
      String.raw`(-?\b[\d.]+)\s*([<>]=?)\s*(${NAME}(?:\(\))?)\s*([<>]=?)\s*(-?[\d.]+)`,
      "g",
    ),
    (_whole, from = "", first = "", name = "", second = "", to = "") =>
      `${from} ${first} ${name} && ${name} ${second} ${to}`,
  ],
  [
    /^\s*if\s+(.+?)\s+then\s+(.+?)\s+else\s+(.+?)\s*$/gi,
    (_whole, test = "", yes = "", no = "") => `${test} ? ${yes} : ${no}`,
  ],
  [new RegExp(String.raw`(?<![\w.$"'{])\$(?=[a-z][\w]*\.)`, "g"), () => ""],
  [/\s*;\s*$/g, () => ""],
  [new RegExp(String.raw`(?<=[\w)])\?\.(?=[a-z])`, "g"), () => "."],
];

const HABITS: readonly Habit[] = [
  [
    new RegExp(
      String.raw`(!?)(${OF_LIST})(?:\.(?:contains|includes|has|has_word)\(\s*(${TEXT})\s*\)|\s+(?:contains|includes)\s+(${TEXT}))`,
      "g",
    ),
    (_whole, not = "", list = "", argument = "", text = "") => {
      const test = `${argument === "" ? text : argument} in ${list}`;
      return not === "" ? test : `!(${test})`;
    },
  ],
  [
    new RegExp(String.raw`(?<![\w.$])(${NAME})\s+(?:contains|includes)\s+(${TEXT})`, "g"),
    (_whole, name = "", text = "") => `${name}.contains_any([${text}])`,
  ],
  [
    new RegExp(String.raw`(?<![\w.$])(${NAME})\s+(?:is|eq|equals)\s+(${TEXT})`, "g"),
    (_whole, name = "", text = "") => `${name} == ${text}`,
  ],
  [
    new RegExp(String.raw`(?<![\w.$])(${NAME})\s+is\s+(not\s+)?defined\b`, "g"),
    (_whole, name = "", not = "") => `${not === "" ? "" : "!"}has(${name})`,
  ],
  [
    new RegExp(
      String.raw`(?<![\w.$])(${NAME})\s*\|\s*default\(\s*(${TEXT}|\d+)\s*(?:,\s*\w+\s*)?\)`,
      "g",
    ),
    (_whole, name = "", other = "") => `${name}.orValue(${other})`,
  ],
  [
    new RegExp(String.raw`^\s*(${NAME})\s*(?:\|\||\?\?)\s*(${TEXT})\s*$`, "g"),
    (_whole, name = "", other = "") => `${name}.orValue(${other})`,
  ],
  [
    new RegExp(String.raw`(?<![\w.])(upper|lower|trim)\(\s*(${NAME})\s*\)`, "g"),
    (_whole, verb = "", name = "") => `${name}.${verb}()`,
  ],
  [
    new RegExp(String.raw`(?<![\w.$])(${NAME})\.toString\(\)`, "g"),
    (_whole, name = "") => `string(${name})`,
  ],
  [/(?<=[<>=]\s*)(?:\d{1,3}(?:[,_]\d{3})+|\d+k)(?![\w.,])/gi, plainNumber],
  [
    /(?<![\w.])now(?:\(\))?\.(?:hour\b|getHours\(\))/g,
    () => 'timestamp(now).getHours("Europe/Berlin")',
  ],
  [
    /(?<![\w.])now(?:\(\))?\.(weekday|day_of_week|dayofweek|day|minute|year)\b(?:\(\))?/g,
    (_whole, part = "") => `timestamp(now).${PARTS[part] ?? ""}("Europe/Berlin")`,
  ],
  [
    new RegExp(
      String.raw`(?<![\w.])(contains|includes|has_word)\(\s*(${NAME})\s*,\s*(${TEXT})\s*\)`,
      "g",
    ),
    (_whole, verb = "", name = "", text = "") =>
      `${name}.${verb === "has_word" ? `has_word(${text})` : `contains_any([${text}])`}`,
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
    (_whole, name = "", text = "") => `${name}.contains_any([${text}])`,
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
      // a colon followed by a blank would end an unquoted YAML text
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
    new RegExp(
      String.raw`(${LIST})\s*(?:\.(?:random|choice|sample|pick)\(\)|\|\s*(?:random|choice|sample)\b)`,
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

/** Translates each name of an expression outside of its string literals. */
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

/** Returns field and pattern of an expression such as `text =~ /hi/` or `text.matches("hi")`; undefined for others. */
export function patternMatch(
  source: string,
): { readonly field: string; readonly pattern: string } | undefined {
  const [, first, quoted, bare, called, argument] = PATTERN_MATCH.exec(source) ?? [];
  const field = first ?? called;
  const text = quoted ?? argument;
  const pattern = text === undefined ? bare : text.slice(1, -1).replaceAll("\\\\", "\\");
  return field === undefined || pattern === undefined ? undefined : { field, pattern };
}

/** Translates `list + item` into `list + [item]`; undefined if the expression has another form. */
export function withItem(source: string): string | undefined {
  const [, list, item] =
    new RegExp(String.raw`^\s*(${NAME})\s*\+\s*(${NAME}|${TEXT})\s*$`).exec(source) ?? [];
  return list === undefined || item === undefined ? undefined : `${list} + [${item}]`;
}

/** Puts the string literals of an expression into single quotes, so that it fits into a text in double quotes. */
export function inSingleQuotes(expression: string): string {
  return expression.replaceAll(/"((?:\\.|[^"\\])*)"/g, (whole: string, inner: string) =>
    /['\\]/.test(inner) ? whole : `'${inner}'`,
  );
}
