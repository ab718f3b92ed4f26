import { translate } from "../../../src/events/translate.ts";
import type { Entry } from "../../../src/runtime/store/entry.ts";
import * as wire from "../../support/wire.ts";

/** Message of the journal: seconds from the beginning, sender and text. */
export type Said = readonly [seconds: number, person: string, text: string];

/** Beginning of the journal: a Monday, 08:00 in Berlin. */
export const BEGINS = Date.UTC(2026, 2, 2, 7);

/** Account whose journal it is. */
export const ACCOUNT = { id: "100", username: "hello_bot" };

/** Returns the journal's entries of these messages, numbered from 1. */
export function entriesOf(said: readonly Said[]): readonly Entry[] {
  return said.map(([seconds, person, text], index) => {
    const at = BEGINS + seconds * 1_000;
    const body = wire.message({ id: String(9_001 + index), from: person, text, at });
    const event = translate(body, at)[0]?.event;
    if (event === undefined) throw new Error("no event");
    const { key, accountId: account, lane, kind } = event;
    const where = { key, account, lane, kind, at, arrivedAt: at, partition: 0 };
    return { seq: index + 1, ...where, source: "webhook", body: JSON.stringify(body) };
  });
}
