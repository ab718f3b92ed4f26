import type { Database } from "./binding.ts";
import type { CallName, StoreCall } from "./calls.ts";
import type { Checkpoints } from "./file/checkpoints.ts";

/**
 * True if something leaves this machine once the call is answered: the acknowledgement of an event, the request of an
 * item, an effect of a bot. The results must then survive a power cut from that time on.
 *
 * The other calls are decisions whose items are not yet being sent, and changes that settle items. If a power cut loses
 * them, the same is decided again, and the platform is asked for the outcome of the item.
 */
export function needsSync(call: StoreCall): boolean {
  if (isCall(call, "commit")) {
    return call.args[1].some(({ runs }) => runs.some(({ status }) => status === "ready"));
  }
  if (isCall(call, "changeItems")) return call.args[1].some(({ to }) => to === "sending");
  return true;
}

function isCall<O extends CallName>(call: StoreCall, name: O): call is StoreCall<O> {
  return call.name === name;
}

/** Tracks which writes are on the device, and sets the sync level of transactions. */
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

  /** Whether there are writes that no device sync has followed. */
  get isBehind(): boolean {
    return this.#behind;
  }

  /** Sets whether the next transaction is synced at its commit, or may wait for a later one that is. */
  begin(synced: boolean): void {
    if (this.#inDoubt) {
      // A device may have dropped unsynced writes when a sync failed, so they are written again.
      this.#checkpoints.restart();
      this.#inDoubt = false;
    }
    if (synced === this.#synced) return;
    // Opening the file has verified that SQLite takes the level.
    this.#db.exec(`PRAGMA synchronous = ${synced ? "FULL" : "NORMAL"}`);
    this.#synced = synced;
  }

  /** Notes a commit. A transaction that changed nothing was not synced, even if it requested a sync. */
  keep(synced: boolean, changed: boolean): void {
    if (changed) this.#behind = !synced;
    else this.#behind ||= !synced;
  }

  /** Notes that the device failed. */
  doubt(): void {
    this.#inDoubt = true;
  }
}
