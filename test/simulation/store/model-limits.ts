import type { Action } from "../../../src/actions/actions.ts";
import type { AnswerLimit } from "../../../src/runtime/store/answer-limit.ts";
import type { Item, NewItem } from "../../../src/runtime/store/item.ts";

interface CountedItem {
  readonly id: number;
  readonly account: string;
  readonly lane: string;
  readonly to: string;
  readonly text: string;
  readonly heard: string | undefined;
  readonly at: number;
  readonly isHeld: boolean;
}

/** Counts answers, and decides which outbox items exceed a limit. */
export class ModelLimits {
  #counted: CountedItem[] = [];

  /** Counts a new outbox item. @returns The reason if a limit holds it back; undefined otherwise. */
  take(id: number, { account, lane, action, counted }: NewItem): string | undefined {
    if (counted === undefined) return undefined;
    const { heard, at } = counted;
    const one = { id, account, lane, to: action.to, text: textOf(action), heard, at };
    const reason = counted.limits.find(
      (limit) => this.#counted.filter((other) => counts(limit, other, one)).length >= limit.max,
    )?.reason;
    this.#counted.push({ ...one, isHeld: reason !== undefined });
    return reason;
  }

  /** Forgets the counts of an item's conversation and of equal texts, after an operator has released the item. */
  beginAnew({ account, lane, action }: Item): void {
    const text = textOf(action);
    this.#counted = this.#counted.filter(
      (one) => one.lane !== lane && !(one.account === account && one.text === text),
    );
  }
}

function counts({ of, inMs }: AnswerLimit, other: CountedItem, one: Omit<CountedItem, "isHeld">) {
  if (other.at > one.at || other.at <= one.at - inMs) return false;
  const isSamePerson = other.lane === one.lane && other.to === one.to;
  switch (of) {
    case "answers":
      return isSamePerson;
    case "equal-answers":
      return isSamePerson && other.text === one.text && other.heard === one.heard;
    case "equal-posts":
      return other.account === one.account && other.text === one.text && !other.isHeld;
  }
}

function textOf(action: Action): string {
  return "text" in action ? action.text.normalize("NFC").trim() : "";
}
