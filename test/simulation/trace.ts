/** Step of a simulation. */
export interface Step {
  /** Milliseconds since the simulation began. */
  readonly at: number;
  /** Actor or object of the step: `bot 1.2`, `platform`, `world`. */
  readonly who: string;
  readonly what: string;
  /** Person whose conversation the step belongs to; absent if it concerns all of them. */
  readonly person?: string | undefined;
  /** Whether the step is frequent and had no effect, so that it is shown only on request. */
  readonly minor?: boolean;
}

/** Steps of a simulation in order. If `isRecorded` is false, adding a step does nothing. */
export interface Trace {
  readonly isRecorded: boolean;
  readonly steps: readonly Step[];
  /** @param what Called only if the trace is recorded. */
  add(who: string, what: () => string, person?: string): void;
  /** Adds a frequent step, which is shown only on request. */
  addMinor(who: string, what: () => string): void;
}

/** @param now Milliseconds since the simulation began. */
export function traceOf(isRecorded: boolean, now: () => number): Trace {
  const steps: Step[] = [];
  return {
    isRecorded,
    steps,
    add(who, what, person) {
      if (isRecorded) steps.push({ at: now(), who, what: what(), person });
    },
    addMinor(who, what) {
      if (isRecorded) steps.push({ at: now(), who, what: what(), minor: true });
    },
  };
}

const SHOWN = 80;

/**
 * Renders the steps that explain the problems of `people`: steps of these people, and steps that concern all people. If
 * `people` is empty, renders all steps. At most the last `shown` steps are rendered.
 */
export function story(steps: readonly Step[], people: readonly string[], shown = SHOWN): string[] {
  const relevantSteps = steps.filter(
    ({ person, minor }) =>
      people.length === 0 || (!minor && (person === undefined || people.includes(person))),
  );
  const omitted = relevantSteps.length - shown;
  const lines = relevantSteps.slice(-shown).map(lineOf);
  return omitted > 0
    ? [`(${omitted} steps before these; all of them with --all)`, ...lines]
    : lines;
}

function lineOf({ at, who, what }: Step): string {
  return `${(at / 1_000).toFixed(3).padStart(9)} s  ${who.padEnd(9)} ${what}`;
}
