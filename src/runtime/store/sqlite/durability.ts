import type { Database } from "./binding.ts";
import type { CallName, StoreCall } from "./calls.ts";
import type { Checkpoints } from "./file/checkpoints.ts";
import { syncEachCommit } from "./file/sync-level.ts";

/**
 * Whether something leaves this machine once the call is answered: the acknowledgement of an event, the
 * request of an item, what a bot does. Then what was kept has to outlive a power cut by that time.
 *
 * What is left are decisions whose items are still to be started, and the ends of items: when a power
 * cut takes them, the same is decided again, and the platform is asked what became of the item.
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

/** When what is written is on the device. */
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

  /** Something was written that no device sync has followed. */
  get isBehind(): boolean {
    return this.#behind;
  }

  /** The next transaction is synced, or may wait for one that is. */
  begin(synced: boolean): void {
    if (this.#inDoubt) {
      // A device that failed a sync may have dropped what waited for it: have it written again.
      this.#checkpoints.restart();
      this.#inDoubt = false;
    }
    if (synced === this.#synced) return;
    if (synced) syncEachCommit(this.#db);
    else this.#db.exec("PRAGMA synchronous = NORMAL");
    this.#synced = synced;
  }

  /** The transaction is kept. One that changed nothing was not synced, whatever it asked for. */
  keep(synced: boolean, changed: boolean): void {
    if (changed) this.#behind = !synced;
    else this.#behind ||= !synced;
  }

  /** The device failed. */
  doubt(): void {
    this.#inDoubt = true;
  }
}
