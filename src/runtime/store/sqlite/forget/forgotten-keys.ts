import type { Afterwards } from "../../in-mind/afterwards.ts";
import { forgottenHash } from "../../forgetting/forgotten-hash.ts";
import type { Database } from "../binding.ts";

/** Hashes of events of forgotten people, by which a repeated delivery is recognized. */
export class ForgottenKeys {
  readonly #afterwards: Afterwards;
  readonly #secret: string;
  readonly #put;
  readonly #drop;
  readonly #all;
  #hashes: ReadonlySet<string>;

  /** @param secret Key of the hashes. Without the store, event keys cannot be found by trying. */
  constructor(db: Database, afterwards: Afterwards, secret: string) {
    this.#afterwards = afterwards;
    this.#secret = secret;
    this.#put = db.prepare("INSERT INTO forgotten (hash, at) VALUES (?, ?) ON CONFLICT DO NOTHING");
    this.#drop = db.prepare("DELETE FROM forgotten WHERE at < ?");
    this.#all = db.prepare<{ hash: string }>("SELECT hash FROM forgotten");
    this.#hashes = this.#read();
  }

  /** Whether an event is of a forgotten person. Computes no hash if no person was forgotten. */
  has(key: string, account: string): boolean {
    return this.#hashes.size > 0 && this.#hashes.has(this.#hash(key, account));
  }

  /** @param arrivedAt Arrival of the event. The hash is kept as long as the event would have been. */
  add(key: string, account: string, arrivedAt: number): void {
    this.#put.run(this.#hash(key, account), arrivedAt);
    this.#afterwards.add(() => (this.#hashes = this.#read()));
  }

  prune(before: number): void {
    if (this.#hashes.size === 0 || this.#drop.run(before) === 0) return;
    this.#afterwards.add(() => (this.#hashes = this.#read()));
  }

  #read(): ReadonlySet<string> {
    return new Set(this.#all.all().map(({ hash }) => hash));
  }

  #hash(key: string, account: string): string {
    return forgottenHash(this.#secret, key, account);
  }
}
