/**
 * Delays changes of memory until their transaction commits.
 *
 * Data in memory therefore equals the tables, whatever fails. Code that needs a change of memory within the
 * transaction makes it at once and registers how to undo it after a rollback.
 */
export class Afterwards {
  #changes: (() => void)[] = [];
  #reversals: (() => void)[] = [];

  /** Calls `change` after the commit. */
  add(change: () => void): void {
    this.#changes.push(change);
  }

  /** Calls `reverse` after a rollback. */
  elseUndo(reverse: () => void): void {
    this.#reversals.push(reverse);
  }

  /** Runs the changes: the transaction committed. */
  keep(): void {
    const changes = this.#changes;
    this.#changes = [];
    this.#reversals = [];
    for (const change of changes) change();
  }

  /** Runs the reversals: the transaction was rolled back. */
  undo(): void {
    const reversals = this.#reversals;
    this.#changes = [];
    this.#reversals = [];
    for (const reverse of reversals) reverse();
  }
}
