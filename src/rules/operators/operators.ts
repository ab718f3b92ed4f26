import { containsAll } from "./contains-all.ts";
import { containsAny } from "./contains-any.ts";
import { containsWord } from "./contains-word.ts";
import { contains } from "./contains.ts";
import { endsWith } from "./ends-with.ts";
import { equals } from "./equals.ts";
import { exists } from "./exists.ts";
import { gt } from "./gt.ts";
import { gte } from "./gte.ts";
import { isIn } from "./in.ts";
import { inList } from "./in-list.ts";
import { lt } from "./lt.ts";
import { lte } from "./lte.ts";
import { matches } from "./matches.ts";
import { newerThan } from "./newer-than.ts";
import { olderThan } from "./older-than.ts";
import type { Operator } from "./operator.ts";
import { startsWith } from "./starts-with.ts";
import { within } from "./within.ts";

/** Everything that a field can be asked, in the order in which messages list it. */
export const OPERATORS: Readonly<Record<string, Operator>> = {
  equals,
  in: isIn,
  in_list: inList,
  contains,
  contains_word: containsWord,
  contains_any: containsAny,
  contains_all: containsAll,
  starts_with: startsWith,
  ends_with: endsWith,
  matches,
  gt,
  gte,
  lt,
  lte,
  older_than: olderThan,
  newer_than: newerThan,
  within,
  exists,
};
