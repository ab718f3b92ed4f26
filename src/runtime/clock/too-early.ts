/** Thrown if work can't be done before the time `until`. The caller waits and tries again: it is not a failure. */
export class TooEarly extends Error {
  override readonly name = "TooEarly";
  /** Time in milliseconds since the epoch, by the platform's clock. */
  readonly until: number;

  constructor(until: number, reason: string) {
    super(reason);
    this.until = until;
  }
}
