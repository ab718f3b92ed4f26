import type { Trace } from "../../../../insight/traces/trace.ts";
import type { Sequence } from "../../../operations/sequence.ts";

/** A trace that was downloaded. What was sent is not in it. */
export interface TraceFile {
  readonly trace: Trace;
  readonly sequence: Sequence;
}

/** The text of a trace's file. */
export function fileOf({ trace, sequence }: TraceFile): string {
  const rows = sequence.rows.map(({ exchange: _not, ...row }) => row);
  return JSON.stringify({ trace, sequence: { rows, exchanges: [] } }, null, 2);
}

/** The trace in a file's text. @throws {Error} where there is none. */
export function traceIn(text: string): TraceFile {
  const { trace, sequence } = JSON.parse(text) as Partial<TraceFile>;
  if (trace?.event === undefined || sequence?.rows === undefined) {
    throw new Error("that file is no trace: download one by the button Download of a trace");
  }
  // files of before have no conditions
  const runs = trace.runs.map((run) => Object.assign({ conditions: [] }, run));
  return { trace: { ...trace, runs }, sequence };
}
