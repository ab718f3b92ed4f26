import type { CalledAnswer } from "../../operations/call-platform.ts";
import { Chip } from "./chip.tsx";
import { Exchange, indented } from "./exchange.tsx";
import { duration } from "./duration.ts";

/**
 * Shows a response of the platform, with the HTTP exchange as an expandable part. Marks lines that are not in the
 * response body `before`.
 */
export function ShownAnswer({ answer, before }: { answer: CalledAnswer; before?: string }) {
  const { status, headers, body, ms, exchange } = answer;
  const limit = headers["x-rate-limit-remaining"];
  const lines = indented(body).split("\n");
  const linesBefore = before === undefined ? undefined : new Set(indented(before).split("\n"));
  return (
    <div role="status">
      <p class="row">
        <Chip tone={status < 400 ? "good" : "bad"}>{status}</Chip> {duration(ms)}
        {limit !== undefined && (
          <span class="soft">
            {limit} of {headers["x-rate-limit-limit"]} requests left
          </span>
        )}
      </p>
      <pre tabIndex={0} class="platform-body">
        {lines.map((line, at) =>
          linesBefore === undefined || linesBefore.has(line) ? (
            `${line}\n`
          ) : (
            <mark key={`${at} ${line}`}>{`${line}\n`}</mark>
          ),
        )}
      </pre>
      {exchange !== undefined && (
        <details>
          <summary>As it was sent, and what was signed</summary>
          <Exchange seq={exchange} />
        </details>
      )}
    </div>
  );
}
