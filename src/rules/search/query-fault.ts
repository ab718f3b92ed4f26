import { didYouMean } from "../../text/did-you-mean.ts";
import type { Mistake } from "../../config/problem.ts";
import {
  checkedClause,
  NEW_LANGUAGE_CODES,
  OPERATOR_ALIASES,
  QUERY_LENGTHS,
  QUERY_OPERATORS,
  queryOperator,
  STREAM_ONLY,
} from "../../protocol/search-query/operators.ts";
import { parseQuery } from "../../protocol/search-query/parse.ts";
import { type SearchFault, SearchSyntaxError } from "../../protocol/search-query/tokens.ts";

/** Mistake in a search query, with its place in the query. */
export interface QueryFault {
  readonly mistake: Mistake;
  readonly offset: number;
  readonly length: number;
}

const code = "bad-query";

/** Returns the mistake in a query of recent search; undefined if the platform accepts the query. */
export function queryFault(query: string): QueryFault | undefined {
  const whole = { offset: 0, length: Math.max(query.length, 1) };
  try {
    parseQuery(query, checkedClause);
  } catch (error) {
    if (!(error instanceof SearchSyntaxError)) throw error;
    const { at, fault } = error;
    const place =
      fault === "dependent" ? whole : { offset: Math.min(at, whole.length) - 1, length: 1 };
    return { mistake: { code, ...MISTAKES[fault](wordAt(query, at), error) }, ...place };
  }
  const { length } = query;
  const { most, enterprise } = QUERY_LENGTHS;
  if (length <= most) return undefined;
  const isTooLong = length > enterprise;
  const message = isTooLong
    ? `the query has ${length} characters, and the platform accepts ${enterprise} at most`
    : `the query has ${length} characters; only the enterprise plan accepts more than ${most}`;
  const help = "shorten it, or give the rule several post.found triggers with a part each";
  const severity = isTooLong ? "error" : "warning";
  return { mistake: { code, severity, message, help }, ...whole };
}

type Told = Pick<Mistake, "message" | "help">;

/** Message for each kind of syntax error. `word` is the word at the error's position. */
const MISTAKES: Readonly<Record<SearchFault, (word: string, error: SearchSyntaxError) => Told>> = {
  quote: () => ({
    message: "a quotation mark in the query is not closed",
    help: 'close it:  "exact words"',
  }),
  value: (_, { operator }) => {
    const { name = "", value = "" } = operator ?? {};
    const { values, example = "" } = queryOperator(name) ?? {};
    const options = typeof values === "function" ? undefined : values;
    const language = name === "lang" ? NEW_LANGUAGE_CODES.get(value.toLowerCase()) : undefined;
    return {
      message: `"${value}" is not a value of the operator ${name}:`,
      help:
        options === undefined
          ? `write${language === undefined ? ", for example," : ""}  ${name}:${language ?? example}`
          : `write one of: ${options.map((one) => `${name}:${one}`).join(", ")}`,
    };
  },
  positive: (_, { operator }) => {
    const clause = `${operator?.name}:${operator?.value}`;
    return { message: `${clause} is allowed only after -`, help: `write  -${clause}` };
  },
  "no-value": (word) => ({
    message: `the operator ${word} has no value`,
    help: `write the value after the colon, without a space:  ${word}name`,
  }),
  join: (word) => ({
    message: `the platform refuses "${word}" as a word without quotation marks`,
    help:
      word.toLowerCase() === "or"
        ? "write OR in capitals, or quote the word"
        : "a space already requires both words; remove it, or quote the word",
  }),
  operator: (_, { operator }) => {
    const { name = "" } = operator ?? {};
    if (STREAM_ONLY.has(name)) {
      return {
        message: `only the filtered stream has the operator ${name}:, and recent search refuses it`,
        help: "remove it: recent search reads what the stream misses, so each query must suit both",
      };
    }
    const guess = didYouMean(name, Object.keys({ ...QUERY_OPERATORS, ...OPERATOR_ALIASES }));
    return {
      message: `there is no operator ${name}: in queries`,
      help:
        guess === undefined
          ? "quote the text if it is meant as words"
          : `write  ${guess}:  or quote the text if it is meant as words`,
    };
  },
  opened: () => ({ message: "a ( in the query has no )", help: "close it, or remove it" }),
  closed: () => ({ message: "a ) in the query closes nothing", help: "remove it, or open it" }),
  nothing: (word, { message }) => ({
    message: `the query lacks a word ${message.includes("<EOF>") ? "at its end" : `before "${word}"`}`,
    help: "put OR between two words, - before a word, and ( ) around several",
  }),
  dependent: () => ({
    message: "the query only excludes or narrows: nothing in it finds posts by itself",
    help: 'add a word, a "phrase", a #tag, an @handle or from:, in each part of an OR:  brand -is:retweet',
  }),
};

/** Returns the word of a query at a position. Positions count from 1. */
function wordAt(query: string, at: number): string {
  return /^(?:[()]|[^\s()]+)/.exec(query.slice(at - 1))?.[0] ?? "";
}
