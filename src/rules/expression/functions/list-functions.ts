import { example } from "../../example.ts";
import { spend } from "./budget.ts";
import type { CallableFunction } from "./expression-function.ts";

/** Functions for lists. Each charges the characters that it processes to the budget, so long lists can't take long. */
export const LIST_FUNCTIONS: readonly CallableFunction[] = [
  {
    signature: "list<A>.sort(): list<A>",
    description:
      'The least first, of numbers and texts. Texts are in alphabetical order in every script. Texts that begin with a number are sorted by it: "9 ben" is before "12 ann".',
    call: (list: readonly unknown[]) => sorted(list, 1),
    example: example`
      actions:
        - reply_dm: In order, \${{ message.hashtags.sort() }}
    `,
  },
  {
    signature: "list<A>.sort_desc(): list<A>",
    description: "Like sort, with the greatest first.",
    call: (list: readonly unknown[]) => sorted(list, -1),
    example: example`
      actions:
        - reply_dm: The best are \${{ state.account.table.orValue([]).sort_desc() }}
    `,
  },
  {
    signature: "list<A>.slice(int, int): list<A>",
    description:
      "The items from the first index up to, but not including, the second. Indexes start at 0; negative ones count from the end.",
    call: (list: readonly unknown[], from: bigint, to: bigint) => {
      spend(list.length);
      return list.slice(Number(from), Number(to));
    },
    example: example`
      actions:
        - reply_dm: The first five are \${{ state.account.table.orValue([]).slice(0, 5) }}
    `,
  },
  {
    signature: "list<A>.without(dyn): list<A>",
    description: "The list without the items that equal the argument.",
    call: (list: readonly unknown[], item: unknown) => {
      spend(charactersIn(list));
      return list.filter((one) => !isEqual(one, item));
    },
    example: example`
      actions:
        - set: { state.account.waiting: "\${{ state.account.waiting.orValue([]).without(sender.id) }}" }
    `,
  },
];

type Sortable = string | number | bigint;

function sorted(list: readonly unknown[], direction: 1 | -1): readonly unknown[] {
  const rounds = Math.ceil(Math.log2(list.length + 1));
  spend(charactersIn(list) * rounds);
  const ranked = list.map((item) => {
    if (!isSortable(item)) throw new Error("only numbers and texts can be sorted");
    return { item, number: numberIn(item) };
  });
  ranked.sort((a, b) => direction * compare(a, b));
  return ranked.map(({ item }) => item);
}

interface Ranked {
  readonly item: Sortable;
  readonly number: number;
}

/** Compares items for sorting. Numbers, and texts that begin with a number, come before all other texts. */
function compare(a: Ranked, b: Ranked): number {
  if (a.number !== b.number) {
    if (Number.isNaN(a.number) && Number.isNaN(b.number)) return compareTexts(a.item, b.item);
    if (Number.isNaN(a.number)) return 1;
    return Number.isNaN(b.number) || a.number < b.number ? -1 : 1;
  }
  return compareTexts(a.item, b.item);
}

function compareTexts(a: Sortable, b: Sortable): number {
  const [one, other] = [String(a), String(b)];
  if (one === other) return 0;
  return collator.compare(one, other) || (one < other ? -1 : 1);
}

/** Alphabetical order of every script, the same for all languages: `apple`, `Émile`, `Zoe`. */
const collator = new Intl.Collator("und");

const LEADING_NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?/;

function numberIn(item: Sortable): number {
  if (typeof item !== "string") return Number(item);
  const [number] = LEADING_NUMBER.exec(item) ?? [];
  return number === undefined ? NaN : Number(number);
}

function isSortable(item: unknown): item is Sortable {
  return typeof item === "string" || typeof item === "bigint" || typeof item === "number";
}

function isEqual(one: unknown, other: unknown): boolean {
  const areNumbers = [one, other].every((x) => typeof x === "bigint" || typeof x === "number");
  return areNumbers ? Number(one) === Number(other) : one === other;
}

function charactersIn(list: readonly unknown[]): number {
  return list.reduce<number>(
    (sum, item) => sum + (typeof item === "string" ? item.length : 0) + 1,
    0,
  );
}
