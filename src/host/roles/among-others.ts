import type { HostedBot } from "../parts.ts";
import type { Log } from "../../runtime/log.ts";
import type { LeaseHolder } from "../../runtime/loop/lease-holders.ts";
import { pollLoop } from "../../runtime/loop/poll-loop.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import type { Pausing } from "../answering/pausing.ts";
import type { RulesInForce } from "../../runtime/reload/rules-in-force.ts";
import type { Lease } from "../../runtime/store/lease.ts";
import { compareClocks } from "./clock-offset.ts";
import type { LeadingNote, ProcessNote } from "./colleague.ts";
import { type Colleagues, keepPresence, LOOK_EVERY_MS } from "./presence.ts";
import type { Reception } from "./reception.ts";

export interface JoiningNeeds extends Pick<
  HostedBot,
  "process" | "role" | "store" | "rules" | "clock" | "log" | "cleanup"
> {
  readonly reception: Reception;
}

/** Parts of a process's note (the JSON that it publishes about itself) that are known only after the start. */
export interface Tellable {
  readonly leases: () => readonly Lease[];
  readonly leading: () => LeadingNote | undefined;
}

/** This process's place among the processes that share its store. */
export interface OwnPlace {
  readonly colleagues: Colleagues;
  /** Adds the passed parts to the notes that the process publishes. */
  tell(more: Tellable): void;
  /** Publishes this process's note to the other processes: at once, or soon after if the store fails. */
  hasNews(): Promise<void>;
  /** Publishes that this process accepts no more work and is about to end. */
  leaves(): Promise<void>;
}

/** Announces this process to the other processes, and follows their notes. */
export async function joinColleagues(needs: JoiningNeeds): Promise<OwnPlace> {
  const { store, log, cleanup, role, reception, rules, clock } = needs;
  const { name } = needs.process;
  const offset = await compareClocks({ store, log });
  cleanup.add("the comparison of clocks", () => offset.stop());
  const startedAt = new Date(clock.now()).toISOString();
  let more: Tellable = { leases: () => [], leading: () => undefined };
  let isLeaving = false;
  const note = (steadySince: number): ProcessNote => {
    const aheadMs = offset.aheadMs();
    const received = reception.note(steadySince);
    const leading = more.leading();
    return {
      role: role.name,
      pid: process.pid,
      startedAt,
      rules: rules.ruleset.revision,
      leases: more.leases().map(({ partition, epoch }) => [partition, epoch]),
      isLeaving,
      ...(aheadMs !== undefined && { aheadMs }),
      ...(received !== undefined && { reception: received }),
      ...(leading !== undefined && { leading }),
    };
  };
  const presence = await keepPresence({ store, name, note, log });
  cleanup.add("the presence of this process", async () => {
    isLeaving = true;
    more = { leases: () => [], leading: () => undefined };
    await presence.stop();
  });
  return {
    colleagues: presence,
    tell: (source) => void (more = source),
    hasNews: () => presence.look().catch(() => presence.wake()),
    async leaves() {
      isLeaving = true;
      await presence.look();
    },
  };
}

/** Returns the leases of the other processes. A lease has no expiry here: it holds as long as its process is listed. */
export function leasesElsewhere({
  name,
  all,
}: Pick<Colleagues, "name" | "all">): readonly LeaseHolder[] {
  return all()
    .filter((one) => one.name !== name)
    .flatMap(({ name: worker, leases }) =>
      leases.map(([partition, epoch]) => ({
        worker,
        lease: { partition, epoch, until: Number.POSITIVE_INFINITY },
      })),
    );
}

/** Follows the pauses, resumes and rules of other processes. @returns A function that unsubscribes. */
export function followOthers(
  { rules, store }: Pick<HostedBot, "store"> & { readonly rules: Pick<RulesInForce, "together"> },
  pausing: Pick<Pausing, "refresh">,
  log: Log,
): () => Promise<void> {
  const loop = pollLoop({
    poll: async () => {
      await pausing.refresh();
      await rules.together?.follow();
    },
    everyMs: LOOK_EVERY_MS,
    onError: throttle(LOG_EVERY_MS, (error) =>
      log.error({ err: error }, "changes by other processes could not be read"),
    ),
  });
  const stopListening = store.onNews?.((news) => {
    if (news === "anything") loop.wake();
  });
  return () => {
    stopListening?.();
    return loop.stop();
  };
}
