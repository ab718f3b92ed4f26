import type { Afterwards } from "../../in-mind/afterwards.ts";
import { forgottenHash } from "../../forgetting/forgotten-hash.ts";
import type { Database } from "../binding.ts";

/** What is left of the events of people who were forgotten: enough to know one when it comes again. */
export class ForgottenKeys {
  readonly #afterwards: Afterwards;
  readonly #secret: string;
  readonly #put;
  readonly #drop;
  readonly #all;
  #hashes: ReadonlySet<string>;

  /** @param secret Goes into each hash, so that nobody finds a key by trying without the store. */
  constructor(db: Database, afterwards: Afterwards, secret: string) {
    this.#afterwards = afterwards;
    this.#secret = secret;
    this.#put = db.prepare("INSERT INTO forgotten (hash, at) VALUES (?, ?) ON CONFLICT DO NOTHING");
    this.#drop = db.prepare("DELETE FROM forgotten WHERE at < ?");
    this.#all = db.prepare<{ hash: string }>("SELECT hash FROM forgotten");
    this.#hashes = this.#read();
  }

  /** Costs nothing as long as nobody was forgotten. */
  has(key: string, account: string): boolean {
    return this.#hashes.size > 0 && this.#hashes.has(this.#hash(key, account));
  }

  /** @param arrivedAt When the event came in: the hash is kept for as long as the event would have been. */
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
