/**
 * What memory learns of a transaction: nothing until it is kept, and nothing at all when it is given up.
 *
 * So what is held in memory beside the tables says of them what the file says, whatever fails.
 */
export class Afterwards {
  #changes: (() => void)[] = [];

  /** Makes `change` once the transaction is kept. */
  add(change: () => void): void {
    this.#changes.push(change);
  }

  /** The transaction is kept. */
  keep(): void {
    const changes = this.#changes;
    this.#changes = [];
    for (const change of changes) change();
  }

  /** The transaction was given up. */
  undo(): void {
    this.#changes = [];
  }
}
