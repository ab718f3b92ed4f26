import type { TraceVerdict } from "../../../insight/traces/trace.ts";

/** Shows the line of a rule that decided its verdict, with a link to the file. */
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
