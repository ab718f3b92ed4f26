import type { TraceVerdict } from "../../../insight/traces/trace.ts";

/** Where a rule says what decided: its place, which leads to the file, and the line as it is written. */
export function Place({ ruleId, at }: Pick<TraceVerdict, "ruleId" | "at">) {
  return (
    <>
      <a class="mono" href={`/rules/${encodeURIComponent(ruleId)}?line=${at.line}`}>
        {at.file}:{at.line}
      </a>
      {at.sourceLine !== undefined && <code class="place">{at.sourceLine.trim()}</code>}
    </>
  );
}
