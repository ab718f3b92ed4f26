/** The work can't be done before a time. It is not a failure: the caller waits and tries again. */
export class TooEarly extends Error {
  /** Time in milliseconds since the epoch, by the platform's clock. */
  readonly until: number;

  constructor(until: number, reason: string) {
    super(reason);
    this.until = until;
  }
}
