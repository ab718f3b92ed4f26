import type { Trace } from "../../../insight/traces/trace.ts";
import { Chip } from "./chip.tsx";
import { toneOf } from "./outcome.ts";

interface TriedProps {
  /** Trace of the tried message; absent if the tried rules have errors. */
  readonly trace?: Trace;
  readonly problems?: readonly { readonly message: string }[];
  readonly notAsked: readonly string[];
}

/** Shows what the rules would do with a message that a person entered to test the rules. */
export function TriedAnswer({ trace, problems = [], notAsked }: TriedProps) {
  if (trace === undefined) {
    return <p role="status">The edited text has errors: {problems[0]?.message}</p>;
  }
  const { outcome, items, verdicts } = trace;
  return (
    <div role="status">
      <p>
        <Chip tone={toneOf(outcome.word)}>{outcome.word}</Chip>{" "}
        {items.length === 0 && outcome.reason}
      </p>
      {items.map(({ id, type, text, inWords }) => (
        <p key={id} class="rules-said">
          <span class="mono soft">{type}</span> <bdi>{text ?? inWords}</bdi>
        </p>
      ))}
      {notAsked.length > 0 && (
        <p class="notice warn">Not called in a trial: {notAsked.join(", ")}</p>
      )}
      <details>
        <summary>What each rule says</summary>
        <ul>
          {verdicts.map(({ ruleId, inWords }) => (
            <li key={ruleId}>{inWords}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}
