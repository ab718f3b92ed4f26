import * as z from "zod";
import type { ExchangeHead } from "../../sandbox/control/objects.ts";
import { type SequenceRow, sequenceOf } from "../sequence/sequence.ts";
import { eachOnce, exchangesOf, NO_EXCHANGES } from "../sequence/trace-exchanges.ts";
import { operation } from "./operation.ts";
import { controlOf } from "./sandbox-control.ts";
import { trace } from "./traces/trace.ts";

/** Sequence diagram of an event, from the person's action through HTTP requests and rules to the bot's answer. */
export interface Sequence {
  readonly rows: readonly SequenceRow[];
  /** HTTP exchanges that the sandbox still stores, oldest first; empty on the live platform. */
  readonly exchanges: readonly ExchangeHead[];
}

/** Returns the sequence diagram of an event. `of` is the event's number, its key, or `last`. */
export const sequence = operation(
  z.strictObject({ of: z.string().min(1) }),
  async (needs, query): Promise<Sequence> => {
    const eventTrace = await trace.answer(needs, query);
    const exchanges =
      needs.sandbox === undefined ? NO_EXCHANGES : await exchangesOf(eventTrace, controlOf(needs));
    const rows = sequenceOf(eventTrace, exchanges);
    const shown = new Set(rows.flatMap(({ exchange }) => exchange ?? []));
    const tries = exchanges.requests.filter(({ seq }) => shown.has(seq));
    return { rows, exchanges: eachOnce(exchanges, tries) };
  },
);
