import type { TraceVerdict } from "../../../insight/traces/trace.ts";

/** Shows the line in a rule file that decided whether the rule matched, with a link to it. */
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
