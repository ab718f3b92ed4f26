import type { Database } from "./binding.ts";
import type { CallName, StoreCall } from "./calls.ts";
import type { Checkpoints } from "./file/checkpoints.ts";

/**
 * Whether the call's results must be synced to the disk before the call returns. They must if data leaves this machine
 * afterwards: the acknowledgement of an event, the request of an item, an effect of a bot.
 *
 * Other calls store decisions whose items are not being sent yet, or settle items. If a power cut loses such results,
 * the runtime decides again, or asks the platform for the outcome of the item.
 */
export function needsSync(call: StoreCall): boolean {
  if (isCall(call, "commit")) {
    return call.args[1].some(
      ({ runs, sends }) => sends !== undefined || runs.some(({ status }) => status === "ready"),
    );
  }
  if (isCall(call, "changeItems")) return call.args[1].some(({ to }) => to === "sending");
  return true;
}

function isCall<O extends CallName>(call: StoreCall, name: O): call is StoreCall<O> {
  return call.name === name;
}

/** Tracks whether all writes are synced to the disk, and sets the sync level of transactions. */
export class Durability {
  readonly #db: Database;
  readonly #checkpoints: Checkpoints;
  #synced = true;
  #behind = false;
  #inDoubt = false;

  constructor(db: Database, checkpoints: Checkpoints) {
    this.#db = db;
    this.#checkpoints = checkpoints;
  }

  /** Whether there are committed writes that are not synced to the disk yet. */
  get isBehind(): boolean {
    return this.#behind;
  }

  /** Sets whether the next transaction is synced at its commit. If not, the sync of a later transaction includes it. */
  begin(synced: boolean): void {
    if (this.#inDoubt) {
      // A disk may have dropped unsynced writes when a sync failed, so these writes are repeated.
      this.#checkpoints.restart();
      this.#inDoubt = false;
    }
    if (synced === this.#synced) return;
    // No check is needed here: opening the file has verified that SQLite accepts the pragma.
    this.#db.exec(`PRAGMA synchronous = ${synced ? "FULL" : "NORMAL"}`);
    this.#synced = synced;
  }

  /** Records a commit. A transaction that changed nothing was not synced, even if it requested a sync. */
  keep(synced: boolean, changed: boolean): void {
    if (changed) this.#behind = !synced;
    else this.#behind ||= !synced;
  }

  /** Records that the disk failed, so that unsynced writes are repeated before the next transaction. */
  doubt(): void {
    this.#inDoubt = true;
  }
}
