/** One thing that happened in a simulation. */
export interface Step {
  /** Milliseconds since the simulation began. */
  readonly at: number;
  /** Who did it, or to whom it was done: `bot 1.2`, `platform`, `world`. */
  readonly who: string;
  readonly what: string;
  /** The person whose conversation it belongs to; absent where it concerns everybody. */
  readonly person?: string | undefined;
  /** It happens all the time and came to nothing: only who wants all steps is shown it. */
  readonly minor?: boolean;
}

/** What happened, in order. Off, it costs next to nothing. */
export interface Trace {
  readonly kept: boolean;
  readonly steps: readonly Step[];
  /** @param what Called only where the trace is kept. */
  add(who: string, what: () => string, person?: string): void;
  /** Adds something that happens all the time. */
  addMinor(who: string, what: () => string): void;
}

/** @param now Milliseconds since the simulation began. */
export function traceOf(kept: boolean, now: () => number): Trace {
  const steps: Step[] = [];
  return {
    kept,
    steps,
    add(who, what, person) {
      if (kept) steps.push({ at: now(), who, what: what(), person });
    },
    addMinor(who, what) {
      if (kept) steps.push({ at: now(), who, what: what(), minor: true });
    },
  };
}

const SHOWN = 80;

/**
 * The steps that a person needs to follow what went wrong with `people`: theirs, and those that
 * concern everybody. All of them when nobody is named. The last ones, where there are many.
 */
export function story(steps: readonly Step[], people: readonly string[], shown = SHOWN): string[] {
  const told = steps.filter(
    ({ person, minor }) =>
      people.length === 0 || (!minor && (person === undefined || people.includes(person))),
  );
  const left = told.length - shown;
  const lines = told.slice(-shown).map(lineOf);
  return left > 0 ? [`(${left} steps before these; all of them with --all)`, ...lines] : lines;
}

function lineOf({ at, who, what }: Step): string {
  return `${(at / 1_000).toFixed(3).padStart(9)} s  ${who.padEnd(9)} ${what}`;
}
