import type { BotHost } from "../bots/bot-host.ts";
import type { AccountEvent } from "../events/event.ts";
import type { HeldLeases } from "../runtime/loop/leases.ts";
import type { Outbox } from "../runtime/outbox/outbox.ts";
import type { Gate } from "../runtime/outbox/gate/gate.ts";
import type { BotsInForce } from "../runtime/reload/bots-in-force.ts";
import type { RuntimeEvents } from "../runtime/runtime-events.ts";
import type { Interpretation, LaneEvent } from "../runtime/runs/lane-event.ts";
import { trunkOf } from "../runtime/runs/parallel/branch-owner.ts";
import { PASSED_OVER } from "../runtime/runs/interpret/on-event.ts";
import type { RunWorker, WorkerStatus } from "../runtime/runs/worker.ts";
import type { Store } from "../runtime/store/store.ts";
import type { Transition } from "../runtime/store/transition.ts";
import type { AppendResult, NewEntry } from "../runtime/store/entry.ts";
import { countedAs } from "../runtime/store/item.ts";
import { openBots } from "./answering/bots.ts";
import { startDeciding } from "./answering/decide.ts";
import { type AnsweringNeeds, takeGround } from "./answering/ground.ts";
import { type SendingParts, startSending } from "./answering/send.ts";

/** Running parts of a bot that decide and send. */
export interface Answering extends Pick<SendingParts, "items" | "held" | "usernameOf" | "stalled"> {
  readonly bots: Pick<BotHost, "bots" | "faults" | "isWaitedFor" | "loading" | "trouble">;
  readonly inForce: Pick<BotsInForce, "reload">;
  readonly leases: Pick<HeldLeases, "held" | "onTaken" | "onLost">;
  /** Remaining rate limits of the platform, and circuit breakers of endpoints that do not respond. */
  readonly gate: Pick<Gate, "budgets" | "circuits">;
  /**
   * Passes new events to the worker; the caller has already appended them to the journal.
   *
   * @param entries Entry of each event.
   * @param results Result of each append.
   */
  arrived(
    events: readonly AccountEvent[],
    entries: readonly NewEntry[],
    results: readonly AppendResult[],
  ): void;
  /** Ends runs that must not go on because their rule was changed or removed. */
  rulesChanged(ids: readonly string[]): Promise<void>;
  /** Erases a person from the store by `erase`, while this process begins no work of the person's events. */
  readonly erasing: <T>(person: string, erase: () => Promise<T>) => Promise<T>;
  status(): WorkerStatus &
    ReturnType<Outbox["status"]> &
    ReturnType<HeldLeases["status"]> & {
      /** Number of group messages since the start that no rule or bot listens to. */
      readonly passedOver: number;
    };
}

/**
 * Starts the outbox that sends, the bots, and the worker that decides.
 *
 * The outbox and the worker share the store, and each wakes the other after it has stored work for it.
 */
export async function startAnswering(needs: AnsweringNeeds): Promise<Answering> {
  const { log, events, store, telemetry } = needs;
  const ground = await takeGround(needs);
  const { leases, reader } = ground;
  let worker: RunWorker | undefined;
  const { outbox, reconciler, ...sending } = await startSending({
    ...ground,
    endOf: async (item) => worker?.endOf(item),
    onQueued: () => worker?.wake(),
  });
  const { bots, inForce } = await openBots(needs);
  let passedOver = 0;
  const deciding = startDeciding({
    ...ground,
    gate: sending.gate,
    bots,
    throughOutbox: (store) => (transition) => outbox.commit(transition, store),
    onSent(transitions) {
      // A store in this process executes the commit before a query of the same turn, so the outbox finds the new items.
      const isQueued = ({ items, sends }: Transition): boolean =>
        items.length > (sends === undefined ? 0 : 1);
      if (!store.isShared && transitions.some(isQueued)) outbox.wake();
    },
    onCommitted(happened, followed, outcome) {
      telemetry?.committed(happened, followed, outcome);
      if (followed.decision?.reason === PASSED_OVER && outcome === "done") passedOver += 1;
      if (happened.kind === "event" && outcome === "done") {
        const { entry } = happened;
        reconciler.onEvent(entry.lane, () => reader.eventOf(entry));
        needs.onDecided?.(entry.kind, () => reader.eventOf(entry));
      }
      publish(events, happened, followed, outcome);
    },
  });
  worker = deciding;
  ground.cleanup.add("the news of the store", followNews(store, deciding, [outbox, reconciler]));
  needs.pausing.onResumed(() => {
    outbox.wake();
    deciding
      .resumed()
      .catch((error: unknown) =>
        log.error({ err: error }, "runs could not be continued after the pause"),
      );
  });
  return {
    ...sending,
    bots,
    inForce,
    leases,
    arrived(arrived, ...appended) {
      for (const event of arrived) reader.remember(event);
      deciding.arrived(...appended);
    },
    rulesChanged: (ids) => deciding.rulesChanged(ids),
    erasing: (person, erase) => deciding.erasing(person, erase),
    status: () => ({ ...leases.status(), ...deciding.status(), ...outbox.status(), passedOver }),
  };
}

/** Wakes the worker, and the stages that send, at news of other processes. @returns A function that unsubscribes. */
function followNews(
  store: Pick<Store, "onNews" | "onErased">,
  worker: Pick<RunWorker, "wake" | "erasedElsewhere">,
  senders: readonly { wake(): void }[],
): () => void {
  const stopListening = store.onNews?.((news) => {
    worker.wake();
    if (news === "inputs") return;
    for (const sender of senders) sender.wake();
  });
  const stopFollowing = store.onErased?.(() => worker.erasedElsewhere());
  return () => {
    stopListening?.();
    stopFollowing?.();
  };
}

/** Publishes the results of an input as runtime events: a decided event, ended runs, and escalations to people. */
function publish(
  events: RuntimeEvents,
  happened: LaneEvent,
  { runs, items, escalations }: Interpretation,
  outcome: string,
): void {
  if (happened.kind === "event") {
    const { seq, lane } = happened.entry;
    const data = { seq, lane, outcome, runs: runs.length, items: items.length };
    events.publish({ type: "event-decided", data });
  }
  const isDropped = happened.kind === "item-settled" && countedAs(happened.item) === "dropped";
  for (const { id, owner, status } of runs) {
    if (status === "ready" || status === "waiting" || trunkOf(id) !== undefined) continue;
    const dropped = status === "failed" && isDropped && { dropped: true as const };
    events.publish({ type: "run-settled", data: { id, owner, status, ...dropped } });
  }
  for (const { run, account, lane, queue, priority, silences } of escalations) {
    const data = { run, account, lane, queue, priority, pausesBot: silences !== undefined };
    events.publish({ type: "escalated", data });
  }
}
