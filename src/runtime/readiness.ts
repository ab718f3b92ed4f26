/** What keeps a runtime from doing its work, as its parts report it. */
export interface Readiness {
  /**
   * Adds a part that is not ready yet.
   *
   * @param name As people read it: `webhook`.
   * @param reason What it still waits for.
   */
  part(name: string, reason: string): ReadinessPart;
  /** What is missing now, part by part. Empty: everything works. */
  missing(): readonly Missing[];
}

/** One part's word on itself. */
export interface ReadinessPart {
  ready(): void;
  notReady(reason: string): void;
}

/** A part that does not work, and why. */
export interface Missing {
  readonly part: string;
  readonly reason: string;
}

/** A readiness without parts: nothing is missing. */
export function readiness(): Readiness {
  const reasons = new Map<string, string | undefined>();
  return {
    part(name, reason) {
      reasons.set(name, reason);
      return {
        ready: () => void reasons.set(name, undefined),
        notReady: (why) => void reasons.set(name, why),
      };
    },
    missing: () =>
      [...reasons].flatMap(([part, reason]) => (reason === undefined ? [] : [{ part, reason }])),
  };
}
