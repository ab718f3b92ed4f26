/** A token of a search query. `at` counts characters from 1, as error messages do. */
export type SearchToken =
  | { readonly kind: "open" | "close" | "or" | "not"; readonly at: number }
  | { readonly kind: "word"; readonly text: string; readonly at: number }
  | { readonly kind: "phrase"; readonly text: string; readonly at: number }
  | OperatorToken;

/** Operator of a query, such as `from:acme`. The name is in lower case. */
export interface OperatorToken {
  readonly kind: "operator";
  readonly name: string;
  readonly value: string;
  readonly at: number;
}

/** Word, phrase or operator of a query. */
export type ClauseToken = Extract<SearchToken, { kind: "word" | "phrase" | "operator" }>;

/** Kind of a syntax error. */
export type SearchFault =
  | "quote"
  | "value"
  | "no-value"
  | "join"
  | "operator"
  | "opened"
  | "closed"
  | "nothing"
  | "positive"
  | "dependent";

/** Syntax error of a query, with its position and the live service's message. */
export class SearchSyntaxError extends Error {
  override readonly name = "SearchSyntaxError";
  readonly at: number;
  readonly fault: SearchFault;
  /** Operator that the error is about. */
  readonly operator: OperatorToken | undefined;

  constructor(message: string, at: number, fault: SearchFault = "value", operator?: OperatorToken) {
    super(message);
    this.at = at;
    this.fault = fault;
    this.operator = operator;
  }
}

const OPERATOR = /([A-Za-z_]+):(?:"([^"]*)"|\[([^\]]*)\]|([^\s()"]*))/y;
const WORD = /[^\s()"]+/y;

/**
 * Splits a query into tokens.
 *
 * @throws {SearchSyntaxError} for an unclosed quote or an operator without a value.
 */
export function tokensOf(query: string): SearchToken[] {
  const tokens: SearchToken[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(query);
    if (match !== null) at += match[0].length;
    return match;
  };
  while (at < query.length) {
    const place = at + 1;
    const letter = query[at] ?? "";
    if (/\s/.test(letter)) at += 1;
    else if (letter === "(" || letter === ")") {
      tokens.push({ kind: letter === "(" ? "open" : "close", at: place });
      at += 1;
    } else if (letter === "-") {
      tokens.push({ kind: "not", at: place });
      at += 1;
    } else if (letter === '"') {
      const end = query.indexOf('"', at + 1);
      if (end < 0)
        throw new SearchSyntaxError("no viable alternative at character '<EOF>'", place, "quote");
      tokens.push({ kind: "phrase", text: query.slice(at + 1, end), at: place });
      at = end + 1;
    } else {
      const operator = take(OPERATOR);
      // A link is a word, not an operator named https.
      if (operator !== null && !/^https?:\/\//.test(operator[0])) {
        tokens.push(operatorToken(operator, place));
      } else {
        if (operator !== null) at = place - 1;
        tokens.push(wordToken(take(WORD)?.[0] ?? "", place));
      }
    }
  }
  return tokens;
}

function operatorToken(match: RegExpExecArray, at: number): SearchToken {
  const [, name = "", quoted, boxed, plain] = match;
  const value = quoted ?? boxed ?? plain ?? "";
  if (value !== "") return { kind: "operator", name: name.toLowerCase(), value, at };
  throw new SearchSyntaxError(`missing value of the operator '${name}:'`, at, "no-value");
}

function wordToken(text: string, at: number): SearchToken {
  if (text === "OR") return { kind: "or", at };
  const lower = text.toLowerCase();
  if (lower === "or" || lower === "and") {
    const joins = lower === "or" ? "an uppercase OR" : "a space";
    throw new SearchSyntaxError(
      `Ambiguous use of ${text} as a keyword. Use ${joins} to logically join two clauses, or "${text}" to find occurrences of ${text} in text`,
      at,
      "join",
    );
  }
  return { kind: "word", text, at };
}
