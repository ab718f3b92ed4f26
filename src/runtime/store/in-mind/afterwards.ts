/**
 * What memory learns of a transaction: nothing until it is kept, and nothing at all when it is given up.
 *
 * So what is held in memory beside the tables says of them what the file says, whatever fails. What has
 * to know of a change within its transaction takes it back when that is given up.
 */
export class Afterwards {
  #changes: (() => void)[] = [];
  #reversals: (() => void)[] = [];

  /** Makes `change` once the transaction is kept. */
  add(change: () => void): void {
    this.#changes.push(change);
  }

  /** Calls `reverse` when the transaction is given up. */
  elseUndo(reverse: () => void): void {
    this.#reversals.push(reverse);
  }

  /** The transaction is kept. */
  keep(): void {
    const changes = this.#changes;
    this.#changes = [];
    this.#reversals = [];
    for (const change of changes) change();
  }

  /** The transaction was given up. */
  undo(): void {
    const reversals = this.#reversals;
    this.#changes = [];
    this.#reversals = [];
    for (const reverse of reversals) reverse();
  }
}
