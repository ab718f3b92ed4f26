import * as z from "zod";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import type { RuntimeEvents } from "../runtime-events.ts";
import { RESTORED_FROM } from "../store/restored.ts";
import type { Store } from "../store/store.ts";

/** Evidence that another instance of the bot, with another store, answers for an account. */
export interface InstanceEvidence {
  /** User id. */
  readonly account: string;
  /** Id of the source, the same for each repetition: `webhook:123`. */
  readonly id: string;
  /** Clause for people. */
  readonly reason: string;
  /** Whether this instance is the later one: it then sends nothing until the operator resumes the account. */
  readonly holdsBack: boolean;
}

const instance = z.object({
  account: z.string(),
  id: z.string(),
  reason: z.string(),
  /** Time in milliseconds since the epoch, by the platform's clock. */
  since: z.number(),
  holdsBack: z.boolean(),
});

/** Another instance, as far as the evidence shows. */
export type OtherInstance = z.infer<typeof instance>;

const memory = z.object({
  /** Instances because of which accounts are held back. */
  held: z.array(instance),
  /** Ids of the evidence that the operator accepted by resuming an account. */
  accepted: z.array(z.string()),
});

type Memory = z.infer<typeof memory>;

export interface OtherInstancesNeeds {
  readonly store: Pick<Store, "getMeta" | "setMeta" | "takeUp">;
  readonly pausing: {
    pause(account: string): Promise<boolean>;
    beforeResume(listener: (account: string | undefined) => Promise<void>): void;
  };
  readonly usernameOf: (account: string) => string | undefined;
  readonly events: Pick<RuntimeEvents, "publish">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** Milliseconds for which an item of unknown outcome holds up its lane. */
  readonly holdMs: number;
  /** Monotonic real milliseconds; by default `performance.now()`. */
  readonly monotonic?: () => number;
}

/** Collects evidence of other instances, and pauses accounts for which this instance is the later one. */
export interface OtherInstances {
  /** Records evidence. If this instance has to hold back, resolves once nothing more is sent for the account. */
  noticed(evidence: InstanceEvidence): Promise<void>;
  /** Instances noticed in the last minutes, and all because of which an account is held back. */
  list(): readonly OtherInstance[];
}

const NAME = "other-instances";
/** Real milliseconds after which unrepeated evidence counts as over. */
const SHOWN_MS = 10 * 60_000;
/** Number of accepted evidence ids that are remembered. */
const MAX_ACCEPTED = 100;

/** Loads the evidence that an earlier run stored. */
export async function openOtherInstances(needs: OtherInstancesNeeds): Promise<OtherInstances> {
  const text = await needs.store.getMeta(NAME);
  const stored = text === undefined ? { held: [], accepted: [] } : memory.parse(JSON.parse(text));
  return new Instances(needs, stored);
}

class Instances implements OtherInstances {
  readonly #needs: OtherInstancesNeeds;
  readonly #monotonic: () => number;
  #memory: Memory;
  /** Evidence by account and id; `seenAt` is monotonic. */
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

  /** Accepts evidence when the operator resumes: the other instance may have answered messages during the pause. */
  async #accept(account: string | undefined): Promise<void> {
    const { store, clock, holdMs, log } = this.#needs;
    const { held, accepted } = this.#memory;
    const over = held.filter((one) => account === undefined || one.account === account);
    if (over.length === 0) return;
    await store.setMeta(RESTORED_FROM, String(Math.min(...over.map(({ since }) => since))));
    const items = await store.takeUp(clock.now(), holdMs);
    log.info(
      { account, items },
      "answers that another instance may have sent are looked up on the platform first",
    );
    await this.#keep({
      held: held.filter((one) => !over.includes(one)),
      // Evidence by messages is not accepted for good: new messages count again.
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

/** Id of evidence that consists of a message of the account. */
export const BY_MESSAGES = "messages";
