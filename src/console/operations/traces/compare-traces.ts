import * as z from "zod";
import type { Trace, TraceItem, TraceVerdict } from "../../../insight/traces/trace.ts";
import { operation } from "../operation.ts";
import type { ShownTable } from "../tables/table.ts";
import { trace } from "./trace.ts";

const which = z.string().min(1);

/** Compares the traces of two events line by line. Each event is named by its number, its key, or `last`. */
export const compareTraces = operation(
  z.strictObject({ of: which, with: which }),
  async (needs, request): Promise<ShownTable> => {
    const one = await trace.answer(needs, { of: request.of });
    const other = await trace.answer(needs, { of: request.with });
    const [linesOfOne, linesOfOther] = [linesOf(one), linesOf(other)];
    const labels = [...new Set([...linesOfOne.keys(), ...linesOfOther.keys()])];
    return {
      columns: ["What", `Event ${one.event.seq}`, `Event ${other.event.seq}`, "Compared"],
      rows: labels.map((label) => {
        const [a, b] = [linesOfOne.get(label) ?? NOTHING, linesOfOther.get(label) ?? NOTHING];
        return { id: label, cells: [label, a, b, a === b ? "the same" : "differs"] };
      }),
      empty: "",
    };
  },
);

const NOTHING = "–";

/** Returns the lines of a trace that are compared, by label. */
function linesOf({ event, outcome, verdicts, items, state }: Trace): ReadonlyMap<string, string> {
  return new Map([
    ["It is", event.inWords],
    ["Outcome", outcome.word],
    ["Reason", outcome.reason],
    ...verdicts.map((one) => [`Rule ${one.ruleId}`, saidBy(one)] as const),
    ...items.map((one, at) => [`Answer ${at + 1}`, sentAs(one)] as const),
    ...state.after.map(({ name, to }) => [`Wrote ${name}`, JSON.stringify(to) ?? NOTHING] as const),
  ]);
}

function saidBy({ outcome, reason, clause, inWords }: TraceVerdict): string {
  if (outcome === "ran") return "ran";
  return clause === undefined ? `${reason}: ${inWords}` : `${reason}: ${clause.path}`;
}

function sentAs({ text, inWords, status }: TraceItem): string {
  return `${status}: ${text ?? inWords}`;
}
