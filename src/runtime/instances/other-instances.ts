import * as z from "zod";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import type { RuntimeEvents } from "../runtime-events.ts";
import type { Store } from "../store/store.ts";

/** Evidence that another instance of the bot, with another store, answers for an account. */
export interface InstanceEvidence {
  /** User id. */
  readonly account: string;
  /** Id of the evidence's source, such as `webhook:123`. Repeated evidence has the same id. */
  readonly id: string;
  /** Description of the evidence for people, as a clause of a sentence. */
  readonly reason: string;
  /** Whether this instance has to hold back: it then sends nothing for the account until the operator resumes it. */
  readonly holdsBack: boolean;
}

const instance = z.object({
  account: z.string(),
  id: z.string(),
  reason: z.string(),
  /** Time of the first evidence, in milliseconds since the epoch by the platform's clock. */
  since: z.number(),
  holdsBack: z.boolean(),
});

/** Another instance of the bot, described by the evidence of it. */
export type OtherInstance = z.infer<typeof instance>;

const memory = z.object({
  /** Instances because of which this instance currently sends nothing for an account. */
  held: z.array(instance),
  /** Evidence that the operator accepted by resuming an account, as `<account> <id>`. */
  accepted: z.array(z.string()),
});

type Memory = z.infer<typeof memory>;

export interface OtherInstancesNeeds {
  readonly store: Pick<Store, "getMeta" | "changeMetas" | "startRestored">;
  readonly pausing: {
    isPaused(account: string): boolean;
    /** @returns `false` if the account was paused already. */
    pause(account: string): Promise<boolean>;
    beforeResume(listener: (account: string | undefined) => Promise<void>): void;
  };
  readonly usernameOf: (account: string) => string | undefined;
  readonly events: Pick<RuntimeEvents, "publish">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** Milliseconds for which an item with an unknown outcome blocks its lane. */
  readonly holdMs: number;
  /** Returns monotonic real milliseconds. Default: `performance.now()`. */
  readonly monotonic?: () => number;
}

/** Collects evidence of other instances, and pauses accounts for which this instance has to hold back. */
export interface OtherInstances {
  /**
   * Records evidence. If this instance has to hold back, resolves once nothing more is sent for the account.
   *
   * @throws {StoreError} if the evidence or the pause can't be stored. Report the evidence again in this case.
   */
  noticed(evidence: InstanceEvidence): Promise<void>;
  /**
   * Lists instances that were noticed in the last ten minutes, and all instances because of which an account is paused.
   */
  list(): Promise<readonly OtherInstance[]>;
  /** Whether an account is paused because of another instance, as of the last call of another method. */
  isHeldBack(account: string): boolean;
}

/** Name of the value in `meta` with the {@link Memory} that all processes of the store share. */
const NAME = "other-instances";
/** Real milliseconds after which evidence that was not repeated is no longer listed. */
const SHOWN_MS = 10 * 60_000;
/** Maximum number of pieces of accepted evidence that are stored. */
const MAX_ACCEPTED = 100;

/** Opens the evidence that earlier runs of the process, and other processes of the store, have stored. */
export async function openOtherInstances(needs: OtherInstancesNeeds): Promise<OtherInstances> {
  const { memory } = await readMemory(needs.store);
  return new Instances(needs, memory);
}

class Instances implements OtherInstances {
  readonly #needs: OtherInstancesNeeds;
  readonly #monotonic: () => number;
  /** Stored evidence, as of the last read or change. */
  #memory: Memory;
  /** Evidence of this process run, by {@link keyOf}. `seenAt` is the monotonic time of the last repetition. */
  readonly #seen = new Map<string, OtherInstance & { readonly seenAt: number }>();

  constructor(needs: OtherInstancesNeeds, memory: Memory) {
    this.#needs = needs;
    this.#memory = memory;
    this.#monotonic = needs.monotonic ?? (() => performance.now());
    needs.pausing.beforeResume((account) => this.#accept(account));
  }

  async list(): Promise<readonly OtherInstance[]> {
    const oldest = this.#monotonic() - SHOWN_MS;
    const memory = await this.#change((stored) => stored);
    // Evidence that held this instance back, and is no longer stored, was accepted in another process.
    const recent = [...this.#seen.values()].filter(
      (one) =>
        one.seenAt >= oldest && !one.holdsBack && !isHeld(memory, one) && !isAccepted(memory, one),
    );
    const held = memory.held.map((one) => ({
      ...one,
      holdsBack: this.#needs.pausing.isPaused(one.account),
    }));
    return [...held, ...recent.map(({ seenAt: _, ...one }) => one)];
  }

  isHeldBack(account: string): boolean {
    const isStored = this.#memory.held.some((one) => one.account === account);
    return isStored && this.#needs.pausing.isPaused(account);
  }

  async noticed({ account, id, reason, holdsBack }: InstanceEvidence): Promise<void> {
    const { clock, pausing } = this.#needs;
    const key = keyOf({ account, id });
    const since = this.#seen.get(key)?.since ?? clock.now();
    const sighting: OtherInstance = { account, id, reason, since, holdsBack };
    const before = await this.#change((memory) => withSighting(memory, sighting));
    if (isAccepted(before, sighting)) return;
    const isNew = holdsBack && !isHeld(before, sighting);
    // Evidence that is stored already may lack its pause: the store may have refused the pause.
    const isPaused = holdsBack && (await pausing.pause(account));
    const seen = this.#seen.get(key);
    const isKnown = seen !== undefined && this.#monotonic() - seen.seenAt < SHOWN_MS;
    this.#seen.set(key, { ...sighting, seenAt: this.#monotonic() });
    if (!isKnown || isNew || isPaused) this.#report(sighting);
  }

  #report({ account, reason, holdsBack }: OtherInstance): void {
    const { log, events, usernameOf } = this.#needs;
    const whose = `@${usernameOf(account) ?? account}`;
    const consequence = holdsBack
      ? "this instance sends nothing for the account; stop one of the two, then: answerback resume"
      : "the instance that started later stops sending; stop one of the two";
    log.error({ account }, `another instance answers for ${whose}: ${reason}; ${consequence}`);
    events.publish({ type: "other-instance", data: { account, reason, holdsBack } });
  }

  /**
   * Accepts the evidence when the operator resumes an account, or all. The other instance may have answered messages of
   * these accounts, so their open answers become `unknown`, as in a restored store.
   */
  async #accept(account: string | undefined): Promise<void> {
    const { store, clock, holdMs, log } = this.#needs;
    const { held } = await this.#change((memory) => memory);
    const over = held.filter((one) => account === undefined || one.account === account);
    for (const id of new Set(over.map((one) => one.account))) {
      const from = Math.min(...over.flatMap((one) => (one.account === id ? one.since : [])));
      const items = await store.startRestored(clock.now(), holdMs, { account: id, from });
      log.info(
        { account: id, items },
        "answers that another instance may have sent are looked up on the platform first",
      );
    }
    await this.#change((memory) => withAccepted(memory, over));
    for (const one of over) this.#seen.delete(keyOf(one));
  }

  /**
   * Changes the stored evidence. Another process may change it at the same time, so `change` may be called several times.
   *
   * @param change Returns the same object to change nothing.
   * @returns The evidence before the change.
   */
  async #change(change: (memory: Memory) => Memory): Promise<Memory> {
    const { store } = this.#needs;
    for (;;) {
      const { text, memory } = await readMemory(store);
      const next = change(memory);
      const changes = [{ name: NAME, was: text, to: JSON.stringify(next) }];
      if (next !== memory && !(await store.changeMetas(changes))) continue;
      this.#memory = next;
      return memory;
    }
  }
}

async function readMemory(store: Pick<Store, "getMeta">) {
  const text = await store.getMeta(NAME);
  const stored = text === undefined ? { held: [], accepted: [] } : memory.parse(JSON.parse(text));
  return { text, memory: stored };
}

type Evidence = Pick<InstanceEvidence, "account" | "id">;

const keyOf = ({ account, id }: Evidence): string => `${account} ${id}`;

function isHeld({ held }: Memory, evidence: Evidence): boolean {
  return held.some((one) => keyOf(one) === keyOf(evidence));
}

/** Whether the operator has accepted the evidence. Earlier versions stored the id alone, for all accounts. */
function isAccepted({ accepted }: Memory, evidence: Evidence): boolean {
  return accepted.includes(keyOf(evidence)) || accepted.includes(evidence.id);
}

function withSighting(memory: Memory, sighting: OtherInstance): Memory {
  const isNews = !isAccepted(memory, sighting) && !isHeld(memory, sighting);
  if (!sighting.holdsBack || !isNews) return memory;
  return { ...memory, held: [...memory.held, sighting] };
}

function withAccepted(memory: Memory, over: readonly OtherInstance[]): Memory {
  if (over.length === 0) return memory;
  const keys = over.map(keyOf);
  // Evidence by messages is not stored as accepted: all of it has the same id, and new messages must be noticed.
  const accepted = over.filter(({ id }) => id !== BY_MESSAGES).map(keyOf);
  return {
    held: memory.held.filter((one) => !keys.includes(keyOf(one))),
    accepted: [...memory.accepted, ...accepted].slice(-MAX_ACCEPTED),
  };
}

/** Id of the evidence that another instance has sent a message for the account. */
export const BY_MESSAGES = "messages";
