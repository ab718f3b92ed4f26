/** A process that is at work on the store. */
export interface Presence {
  /** Its name, unique among all processes of the store. */
  readonly process: string;
  /** What it said of itself last. */
  readonly note: string;
}

/** For the processes that work on one store: what each says of itself, for as long as it is there. */
export interface PresencePort {
  /**
   * Notes that a process is at work, and what it says of itself, in the place of what it said before. It counts as
   * gone when it has not come again within `ttlMs`, by the store's clock.
   *
   * @returns Who is at work now, in the order of their names, the caller among them.
   */
  attend(process: string, note: string, ttlMs: number): Promise<readonly Presence[]>;
}
