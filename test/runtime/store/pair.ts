import assert from "node:assert/strict";
import type { ItemStatus } from "../../../src/runtime/store/item.ts";
import type { Lease } from "../../../src/runtime/store/lease.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import type { LaneInput, Transition } from "../../../src/runtime/store/transition.ts";
import { entry, epochOf, item, run, takenIn } from "./builders.ts";
import { Model } from "./model.ts";

/** Random action on a store. `index` selects among the existing objects. */
export type Step =
  | { readonly do: "append"; readonly key: number }
  | {
      readonly do: "commit";
      readonly index: number;
      readonly outcome: Transition["outcome"];
      readonly retryIn: number;
      readonly items: number;
      /** Whether the decision uses a value of user state that was read before its last change. */
      readonly staleRead: boolean;
    }
  | {
      readonly do: "move";
      readonly index: number;
      /** Status that the change expects; `null`: the item's actual status. */
      readonly from: ItemStatus | null;
      readonly to: ItemStatus;
    }
  | { readonly do: "prune"; readonly age: number }
  | { readonly do: "read" | "take settled" | "take over" | "crash" | "restart" };

/** Ends a store and opens it again. `restart`: the store is closed first. `crash`: it is not. */
export type Reopen = (store: Store, how: "crash" | "restart") => Promise<Store>;

/** Store and model that execute the same actions and must agree. The current time is the number of the step. */
export class Pair {
  readonly #model = new Model();
  readonly #reopenAs: Reopen;
  #store: Store;
  #leases: readonly Lease[] = [];
  #old: readonly Lease[] = [];
  #now = 0;
  #worker = "w0";
  readonly #versions = new Map<string, number>();
  #oldVersions: ReadonlyMap<string, number> = new Map();

  constructor(store: Store, reopen: Reopen) {
    this.#reopenAs = reopen;
    this.#store = store;
  }

  async take(step: Step): Promise<void> {
    this.#now += 1;
    if (this.#leases.length === 0) await this.#takeOver();
    switch (step.do) {
      case "append":
        return this.#append(step.key);
      case "commit":
        return this.#commit(step);
      case "move":
        return this.#move(step);
      case "take settled":
        return this.#takeSettled();
      case "prune":
        return this.#prune(this.#now - step.age);
      case "read":
        return this.check();
      case "take over":
        return this.#takeOver();
      case "crash":
      case "restart":
        return this.#reopen(step.do);
    }
  }

  async #append(n: number): Promise<void> {
    const one = entry({ key: `k${n}`, lane: `l${n % 4}`, arrivedAt: this.#now });
    const [answer] = await this.#store.append([one]);
    assert.equal(answer?.outcome, this.#model.append(one.key, one.lane, this.#now));
  }

  async #commit(step: Extract<Step, { do: "commit" }>): Promise<void> {
    const chosen = this.#model.entries[step.index % Math.max(1, this.#model.entries.length)];
    if (chosen === undefined) return;
    const [row] = await this.#store.journal({ key: chosen.key, limit: 1 });
    if (row === undefined) throw new Error(`${chosen.key} is not in the journal`);
    const { seq, lane, partition } = row;
    const retryAt = this.#now + step.retryIn;
    const keys = Array.from({ length: step.items }, (_, n) => `${chosen.key}/${n}`);
    const current = (await this.#store.load([lane])).get(lane);
    const versions = step.staleRead ? this.#oldVersions : this.#versions;
    const version = step.staleRead ? (versions.get(lane) ?? 0) : (current?.version ?? 0);
    const read = version === (current?.version ?? 0) ? current?.value : "an old one";
    const write = run(seq, { lane, status: "waiting", ...(keys[0] && { waitsFor: keys[0] }) });
    const transition: Transition = {
      input: { kind: "inbox", id: seq },
      lane,
      partition,
      epoch: epochOf(this.#leases, partition),
      at: this.#now,
      outcome: step.outcome,
      retryAt,
      decision: { seq, text: "{}" },
      runs: keys.length > 0 ? [write] : [],
      timers: [],
      sources: [],
      state: [{ key: lane, value: row.key, version }],
      items: keys.map((key) => item({ key, lane, seq, run: write.id })),
    };
    const fenced = { ...transition, epoch: epochOf(this.#old, partition) };
    assert.deepEqual(await this.#store.commit(this.#worker, [fenced]), ["fenced"]);
    const commit = () => this.#model.commit(chosen, step.outcome, retryAt, keys, read);
    const expected = [commit(), commit()];
    const twice = [transition, transition];
    assert.deepEqual(await this.#store.commit(this.#worker, twice), expected);
    this.#oldVersions = new Map(this.#versions);
    for (const [key, value] of await this.#store.load([lane]))
      this.#versions.set(key, value.version);
  }

  async #move({ index, from, to }: Extract<Step, { do: "move" }>): Promise<void> {
    const chosen = this.#model.items[index % Math.max(1, this.#model.items.length)];
    if (chosen === undefined) return;
    const all = await this.#store.items({ limit: 1_000 });
    const stored = all.find(({ key }) => key === chosen.key);
    if (stored === undefined) throw new Error(`${chosen.key} is not in the outbox`);
    assert.equal(stored.status, chosen.status);
    const { id, partition } = stored;
    const expectedFrom = from ?? chosen.status;
    const notBefore = to === "unknown" ? Number.MAX_SAFE_INTEGER : 0;
    const change = { id, partition, at: this.#now, from: expectedFrom, to, notBefore };
    const fenced = { ...change, epoch: epochOf(this.#old, partition) };
    assert.deepEqual(await this.#store.changeItems(this.#worker, [fenced]), ["fenced"]);
    const fresh = { ...change, epoch: epochOf(this.#leases, partition) };
    const expected = this.#model.move(chosen, expectedFrom, to);
    assert.deepEqual(await this.#store.changeItems(this.#worker, [fresh]), [expected]);
  }

  async #takeSettled(): Promise<void> {
    const settled = this.#model.takeSettled();
    if (settled === undefined) return;
    const inputs = await this.#store.fetch(this.#leases, Number.MAX_SAFE_INTEGER, 1_000);
    const input = inputs.find(
      (one) => one.kind === "item-settled" && one.item.key === settled.item,
    );
    if (input === undefined || !("run" in input))
      throw new Error(`item ${settled.item} is missing`);
    const { run: waiting } = input;
    const ended = { ...waiting, status: "done" } as const;
    const done = takenIn(this.#leases, input, { runs: [ended] });
    assert.deepEqual(await this.#store.commit(this.#worker, [done, done]), [
      "committed",
      "already-done",
    ]);
  }

  async #prune(before: number): Promise<void> {
    assert.deepEqual(await this.#store.prune({ before, now: 0 }), this.#model.prune(before));
  }

  async #takeOver(): Promise<void> {
    await this.#store.release(this.#worker);
    this.#worker = `w${this.#now}`;
    this.#old = this.#leases;
    this.#leases = await this.#store.lease(this.#worker, 60_000);
  }

  async #reopen(how: "crash" | "restart"): Promise<void> {
    this.#store = await this.#reopenAs(this.#store, how);
    await this.#takeOver();
    await this.check();
  }

  /** Compares all data that can be read from the store with the model. */
  async check(): Promise<void> {
    const model = this.#model;
    const store = this.#store;
    const now = this.#now;
    const fetched = await store.fetch(this.#leases, now, 1_000);
    const inbox = this.#leases.length === 0 ? [] : model.inbox(now);
    assert.deepEqual(
      fetched.map((input) => [nameOf(input), input.attempts]),
      inbox,
    );
    const offered = await store.dueItems(this.#leases, now, 1_000);
    assert.deepEqual(
      offered.map(({ key }) => key).sort(),
      (this.#leases.length === 0 ? [] : model.outbox()).map(({ key }) => key).sort(),
    );
    const rows = await store.journal({ limit: 1_000 });
    assert.deepEqual(
      rows.map(({ key, state }) => [key, state]),
      model.entries.map(({ key, state }) => [key, state]).reverse(),
    );
    assert.deepEqual(
      rows.map(({ seq }) => seq),
      [...new Set(rows.map(({ seq }) => seq))].toSorted((a, b) => b - a),
    );
    const values = [...(await store.load([...model.state.keys()]))];
    assert.deepEqual(new Map(values.map(([key, { value }]) => [key, value])), model.state);
    const counts = {
      pending: 0,
      sending: 0,
      sent: 0,
      failed: 0,
      dropped: 0,
      expired: 0,
      unknown: 0,
      held: 0,
    };
    for (const one of model.items) counts[one.status] += 1;
    const open = model.entries.filter(({ state }) => state === "open");
    const { inbox: waiting, journal, items, runs } = await store.stats();
    assert.deepEqual(
      { waiting, journal, items, runs },
      {
        waiting: open.length + model.settled.length,
        journal: model.entries.length,
        items: counts,
        runs: { ready: 0, waiting: model.runs.filter((one) => one.open).length },
      },
    );
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

function nameOf(input: LaneInput): string {
  if (input.kind === "event") return input.entry.key;
  return input.kind === "item-settled" ? `item ${input.item.key}` : `timer ${input.timer.id}`;
}
