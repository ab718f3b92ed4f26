/** Creates a random generator, which draws the same numbers for the same seed. */
export function draws(seed: number) {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return { next, one: <T>(from: readonly T[]): T => from[next(from.length)] ?? from[0]! };
}

export type Draws = ReturnType<typeof draws>;

const SMUGGLED = "${{ secrets.KEY }} \u202e\u0000\u001b[2J {{ 7 * 7 }} aaaaaaaaaa ";
/** A stranger's message of 10,000 characters. */
export const HOSTILE_MESSAGE = SMUGGLED.repeat(Math.ceil(10_000 / SMUGGLED.length)).slice(
  0,
  10_000,
);

const NAMES = ["constructor", "__proto__", "prototype", "toString", "valueOf", "globalThis"];
const READABLE = ["message.text", "text", "sender.name", '"a"'];
const LEAVES = [
  ...READABLE,
  ...READABLE,
  ...READABLE,
  ...READABLE,
  ...READABLE,
  "sender.location",
  "message.hashtags",
  "1",
  "process",
  "secrets",
  "vars",
  ...NAMES,
];

/** Creates a random expression; most of them are refused. */
export function hostileExpression(draw: Draws, depth: number): string {
  const inner = () => hostileExpression(draw, depth - 1);
  if (depth <= 0) return draw.one(LEAVES);
  return draw.one([
    () => `(${inner()} + ${inner()})`,
    () => `${inner()}.${draw.one(NAMES)}`,
    () => `${inner()}["${draw.one(NAMES)}"]`,
    () => `dyn(${inner()}).${draw.one(NAMES)}`,
    () => `${inner()}.upper()`,
    () => `url(${inner()})`,
    () => `${inner()}.has_word(${inner()})`,
    () => `${inner()}.truncate(9999)`,
    () => `[${inner()}, ${inner()}]`,
    () => `(${inner()} == ${inner()} ? ${inner()} : ${inner()})`,
    () => `${inner()}.orValue(${inner()})`,
    () => `${inner()}.map(x, x)`,
    () => `{"a": ${inner()}}`,
  ])();
}

/** Creates a random pattern. */
export function hostilePattern(draw: Draws, depth: number): string {
  const inner = () => hostilePattern(draw, depth - 1);
  if (depth <= 0) return draw.one(["a", "\\w", ".", "[a-z ]", "\\s", "secrets", "é", "$", "\\b"]);
  return draw.one([
    () => `(${inner()})*`,
    () => `(${inner()}|${inner()})`,
    () => `${inner()}+${inner()}`,
    () => `(?:${inner()}){1,${draw.next(40)}}`,
    () => `(?P<n>${inner()}?)`,
    () => `(?!${inner()})`,
    () => `${inner()}${inner()}`,
  ])();
}

/** Creates a rule file with one rule, whose variables build on each other. */
export function hostileRule(draw: Draws): string {
  const value = (inner: string): string => JSON.stringify(`\${{ ${inner} }}`);
  const text = "[message.text, message.text]";
  return `version: 1
rules:
  - id: a
    triggers: [dm.received]
    variables:
      a: ${value(draw.one([hostileExpression(draw, 1 + draw.next(2)), "message.text + text", "text.upper()", "[text, text]"]))}
      b: ${value(draw.one(["[vars.a, vars.a]", `[${text}, ${text}]`, "vars.a", '"" + vars.a']))}
      c: ${value(draw.one(["[vars.b, vars.b]", "vars.b == vars.b", "[vars.b, vars.a]"]))}
    conditions: [{if: ${JSON.stringify(draw.one(["vars.c == vars.c", "vars.a == vars.b", "true"]))}}]
    actions: [{reply_dm: hi}]
`;
}
