import type { Trace } from "../../../../insight/traces/trace.ts";
import type { Sequence } from "../../../operations/sequence.ts";

/** Content of a downloaded trace file. HTTP exchanges are left out. */
export interface TraceFile {
  readonly trace: Trace;
  readonly sequence: Sequence;
}

/** Returns the text of a trace file. */
export function fileOf({ trace, sequence }: TraceFile): string {
  const rows = sequence.rows.map(({ exchange: _not, ...row }) => row);
  return JSON.stringify({ trace, sequence: { rows, exchanges: [] } }, null, 2);
}

/** Parses the text of a trace file. @throws {Error} if the text is not a trace. */
export function traceIn(text: string): TraceFile {
  const { trace, sequence } = JSON.parse(text) as Partial<TraceFile>;
  if (trace?.event === undefined || sequence?.rows === undefined) {
    throw new Error("that file is no trace: download one by the button Download of a trace");
  }
  // files that an earlier version of the program wrote have no `conditions`
  const runs = trace.runs.map((run) => Object.assign({ conditions: [] }, run));
  return { trace: { ...trace, runs }, sequence };
}
