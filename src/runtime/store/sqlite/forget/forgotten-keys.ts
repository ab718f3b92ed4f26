import type { Afterwards } from "../../in-memory/afterwards.ts";
import { forgottenHash } from "../../forgetting/forgotten-hash.ts";
import type { Database } from "../binding.ts";
import type { Operations } from "../calls.ts";

/** Hashes of the event keys of forgotten people. A repeated delivery of such an event is recognized by its hash. */
export class ForgottenKeys {
  readonly #afterwards: Afterwards;
  readonly #secret: string;
  readonly #put;
  readonly #drop;
  readonly #all;
  #hashes: Set<string>;

  /** @param secret Key of the hashes. Without it, a guessed event key can't be compared with a hash. */
  constructor(db: Database, afterwards: Afterwards, secret: string) {
    this.#afterwards = afterwards;
    this.#secret = secret;
    this.#put = db.prepare("INSERT INTO forgotten (hash, at) VALUES (?, ?) ON CONFLICT DO NOTHING");
    this.#drop = db.prepare("DELETE FROM forgotten WHERE at < ?");
    this.#all = db.prepare<{ hash: string }>("SELECT hash FROM forgotten");
    this.#hashes = this.#read();
  }

  /** Whether an event belongs to a forgotten person. Computes no hash if no person was forgotten. */
  readonly isForgotten: Operations["isForgotten"] = ({ key, account }) =>
    this.#hashes.size > 0 && this.#hashes.has(forgottenHash(this.#secret, key, account));

  /** @param arrivedAt Arrival time of the event. The hash is pruned when the event would have been pruned. */
  add(key: string, account: string, arrivedAt: number): void {
    const hash = forgottenHash(this.#secret, key, account);
    this.#put.run(hash, arrivedAt);
    this.#afterwards.add(() => void this.#hashes.add(hash));
  }

  prune(before: number): void {
    if (this.#hashes.size === 0 || this.#drop.run(before) === 0) return;
    this.#afterwards.add(() => (this.#hashes = this.#read()));
  }

  #read(): Set<string> {
    return new Set(this.#all.all().map(({ hash }) => hash));
  }
}
