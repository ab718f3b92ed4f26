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
  /** Ids of the evidence that the operator accepted by resuming an account. */
  accepted: z.array(z.string()),
});

type Memory = z.infer<typeof memory>;

export interface OtherInstancesNeeds {
  readonly store: Pick<Store, "getMeta" | "setMeta" | "startRestored">;
  readonly pausing: {
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
  /** Records evidence. If this instance has to hold back, resolves once nothing more is sent for the account. */
  noticed(evidence: InstanceEvidence): Promise<void>;
  /**
   * Lists instances that were noticed in the last ten minutes, and all instances because of which an account is paused.
   */
  list(): readonly OtherInstance[];
}

const NAME = "other-instances";
/** Real milliseconds after which evidence that was not repeated is no longer listed. */
const SHOWN_MS = 10 * 60_000;
/** Maximum number of ids of accepted evidence that are stored. */
const MAX_ACCEPTED = 100;

/** Loads the evidence that an earlier run of the process stored. */
export async function openOtherInstances(needs: OtherInstancesNeeds): Promise<OtherInstances> {
  const text = await needs.store.getMeta(NAME);
  const stored = text === undefined ? { held: [], accepted: [] } : memory.parse(JSON.parse(text));
  return new Instances(needs, stored);
}

class Instances implements OtherInstances {
  readonly #needs: OtherInstancesNeeds;
  readonly #monotonic: () => number;
  #memory: Memory;
  /**
   * Evidence of this process run, by account and evidence id. `seenAt` is the monotonic time of the last repetition.
   */
  readonly #seen = new Map<string, OtherInstance & { readonly seenAt: number }>();

  constructor(needs: OtherInstancesNeeds, stored: Memory) {
    this.#needs = needs;
    this.#memory = stored;
    this.#monotonic = needs.monotonic ?? (() => performance.now());
    needs.pausing.beforeResume((account) => this.#accept(account));
  }

  list(): readonly OtherInstance[] {
    const oldest = this.#monotonic() - SHOWN_MS;
    const { held } = this.#memory;
    const isHeld = (one: OtherInstance): boolean =>
      held.some(({ account, id }) => account === one.account && id === one.id);
    const recent = [...this.#seen.values()].filter((one) => one.seenAt >= oldest && !isHeld(one));
    return [...held, ...recent.map(({ seenAt: _, ...one }) => one)];
  }

  async noticed({ account, id, reason, holdsBack }: InstanceEvidence): Promise<void> {
    const { held, accepted } = this.#memory;
    if (accepted.includes(id)) return;
    const key = `${account} ${id}`;
    const before = this.#seen.get(key);
    const since = before?.since ?? this.#needs.clock.now();
    const sighting: OtherInstance = { account, id, reason, since, holdsBack };
    const isKnown = before !== undefined && this.#monotonic() - before.seenAt < SHOWN_MS;
    this.#seen.set(key, { ...sighting, seenAt: this.#monotonic() });
    const isHeld = held.some((one) => one.account === account && one.id === id);
    if (holdsBack && !isHeld) {
      await this.#keep({ held: [...held, sighting], accepted });
      await this.#needs.pausing.pause(account);
    }
    if (!isKnown || (holdsBack && !isHeld)) this.#report(sighting);
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
    const over = this.#memory.held.filter(
      (one) => account === undefined || one.account === account,
    );
    if (over.length === 0) return;
    for (const id of new Set(over.map((one) => one.account))) {
      const from = Math.min(...over.flatMap((one) => (one.account === id ? one.since : [])));
      const items = await store.startRestored(clock.now(), holdMs, { account: id, from });
      log.info(
        { account: id, items },
        "answers that another instance may have sent are looked up on the platform first",
      );
    }
    // Read again: another instance may have been noticed meanwhile.
    const { held, accepted } = this.#memory;
    await this.#keep({
      held: held.filter((one) => !over.includes(one)),
      // Evidence by messages is not stored as accepted: all of it has the same id, and new messages must be noticed.
      accepted: [...accepted, ...over.map(({ id }) => id).filter((id) => id !== BY_MESSAGES)].slice(
        -MAX_ACCEPTED,
      ),
    });
    for (const one of over) this.#seen.delete(`${one.account} ${one.id}`);
  }

  async #keep(next: Memory): Promise<void> {
    this.#memory = next;
    await this.#needs.store.setMeta(NAME, JSON.stringify(next));
  }
}

/** Id of the evidence that another instance has sent a message for the account. */
export const BY_MESSAGES = "messages";
