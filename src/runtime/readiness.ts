/** Readiness of a runtime, as its parts report it. */
export interface Readiness {
  /**
   * Adds a part that is not ready yet.
   *
   * @param name Name of the part, such as `webhook`, as an operator sees it.
   * @param reason Reason why the part is not ready yet.
   */
  part(name: string, reason: string): ReadinessPart;
  /** Returns the parts that are not ready, with the reasons. Empty: everything works. */
  missing(): readonly Missing[];
}

/** Reports the readiness of one part. */
export interface ReadinessPart {
  ready(): void;
  notReady(reason: string): void;
}

/** Part that does not work, with the reason. */
export interface Missing {
  readonly part: string;
  readonly reason: string;
}

/** Creates a readiness without parts: nothing is missing. */
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
