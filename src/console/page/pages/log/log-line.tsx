import type { RecentLine } from "../../../../runtime/vocabulary.ts";
import { Chip, type Tone } from "../../parts/chip.tsx";
import { Time } from "../../parts/time.tsx";

const TONES: Readonly<Record<RecentLine["level"], Tone>> = {
  info: "info",
  warn: "warn",
  error: "bad",
};

/** Shows a line of the log. A person can expand its further fields. */
export function LogLine({
  line: { at, platformAt = at, level, message, fields },
}: {
  line: RecentLine;
}) {
  const { stage, err, ...others } = fields;
  const names = Object.keys(others);
  const error: { message?: unknown; stack?: unknown } = Object(err);
  return (
    <li>
      <Time at={platformAt} machineAt={at} /> <Chip tone={TONES[level]}>{level}</Chip>{" "}
      {typeof stage === "string" && <span class="soft">{stage}</span>} {message}
      {typeof error.message === "string" && <strong>: {error.message}</strong>}
      {(names.length > 0 || err !== undefined) && (
        <details>
          <summary>{[...names, ...(err === undefined ? [] : ["stack"])].join(", ")}</summary>
          <pre tabIndex={0}>
            {names.length > 0 && JSON.stringify(others, null, 2)}
            {typeof error.stack === "string" && `\n${error.stack}`}
          </pre>
        </details>
      )}
    </li>
  );
}
