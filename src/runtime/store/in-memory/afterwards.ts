/**
 * Delays changes of in-memory data until the current transaction commits.
 *
 * Data in memory therefore always matches the tables. Code that needs a change within the transaction makes the change
 * at once, and registers a function that undoes it after a rollback.
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

  /** Runs the delayed changes. Call it after the transaction was committed. */
  keep(): void {
    const changes = this.#changes;
    this.#changes = [];
    this.#reversals = [];
    for (const change of changes) change();
  }

  /** Undoes the changes that were made at once. Call it after the transaction was rolled back. */
  undo(): void {
    const reversals = this.#reversals;
    this.#changes = [];
    this.#reversals = [];
    for (const reverse of reversals) reverse();
  }
}
