import type { BotHost } from "../../bots/bot-host.ts";
import { endingWith } from "../../system/ending.ts";
import { askedByBots } from "../../runtime/outbox/asked-by-bots.ts";
import { isAnsweredEdit } from "../../runtime/journal/edits.ts";
import { lookUps } from "../../runtime/requests/look-ups.ts";
import type { Gate } from "../../runtime/outbox/gate/gate.ts";
import { REQUEST_TIMEOUT_MS } from "../../runtime/platform/clients.ts";
import { allowedHosts } from "../../runtime/requests/allowed-hosts.ts";
import { dryRequests } from "../../runtime/requests/send-request.ts";
import { sendRequest } from "../../runtime/requests/send-request.ts";
import { type Commit, commitBatcher, type OnSent } from "../../runtime/runs/commit-batcher.ts";
import type { EffectPerformer } from "../../runtime/runs/effect.ts";
import { interpreter } from "../../runtime/runs/interpreter.ts";
import { openRuleArchive } from "../../runtime/runs/rule-archive.ts";
import type { TakeInNeeds } from "../../runtime/runs/take-in.ts";
import { RunWorker } from "../../runtime/runs/worker.ts";
import { type Ground, settingsByAccount } from "./ground.ts";
import { SHARED_REST_MS } from "./send.ts";

/** Real milliseconds after which an awaited item is read again, in case another process has changed it. */
const LOOK_AGAIN_MS = 1_000;
/** Real milliseconds between two polls for inputs that other processes have accepted. */
const SHARED_POLL_MS = 200;
/**
 * Number of lanes (conversations) processed at the same time over a shared store: grouped writes share one round trip
 * and one disk sync.
 */
const SHARED_LANES = 256;

/** Parts that deciding needs, in addition to {@link Ground}. */
interface DecidingNeeds extends Ground {
  readonly gate: Gate;
  readonly bots: BotHost;
  /** Wraps the commit of transitions, so that the outbox sends their items as soon as they are stored. */
  readonly throughOutbox: (commit: Commit) => Commit;
  /** Called with transitions that were sent to the store, and may not be committed yet. */
  readonly onSent: OnSent;
  /** Called after a transition has been committed. */
  readonly onCommitted: TakeInNeeds["onCommitted"];
}

/** Starts the worker that decides: it reads events, timers and outcomes, and writes transitions to the store. */
export function startDeciding(needs: DecidingNeeds): RunWorker {
  const { store, writes, clock, log, leases, telemetry, cleanup, watch } = needs;
  const archive = openRuleArchive({ ruleset: () => needs.rules.ruleset, store });
  const interpret = interpreterOf(needs, archive);
  const worker = new RunWorker({
    store,
    commit: needs.throughOutbox(commitBatcher(writes, needs.process.name, needs.onSent)),
    clock,
    log: log.child({ stage: "runs" }),
    leases,
    interpret: telemetry?.interpreting(interpret) ?? interpret,
    performer: performerOf(needs),
    isPaused: needs.pausing.isPaused,
    mayTimeOut: needs.maySend,
    itemChanged: async (key, signal) => {
      if (!store.isShared) return watch.next(key, signal);
      // An operator may change the item through another process, which does not report the change to this process.
      const ending = endingWith([signal], LOOK_AGAIN_MS);
      await watch.next(key, ending.signal);
      ending.end();
    },
    trial: needs.trial,
    // Other processes store new inputs without notifying this process, so it polls.
    ...(store.isShared && {
      pollEveryMs: SHARED_POLL_MS,
      restMs: SHARED_REST_MS,
      width: SHARED_LANES,
    }),
    onCommitted: (happened, followed, outcome) => {
      archive.noteStored(followed.sources);
      needs.onCommitted(happened, followed, outcome);
    },
  });
  cleanup.add("the worker", () => worker.stop());
  return worker;
}

function interpreterOf(needs: DecidingNeeds, archive: ReturnType<typeof openRuleArchive>) {
  const { settings, accounts, store, clock, reader, bots, rules } = needs;
  const { optOut, posts } = settings;
  return interpreter({
    ...needs.modules,
    store,
    ruleset: () => rules.ruleset,
    ...settingsByAccount(needs),
    optOut,
    posting: posts,
    eventOf: reader.eventOf,
    isAnsweredEdit: (event) => isAnsweredEdit(store, event),
    bots: () => bots.bots,
    archive,
    now: () => clock.now(),
    isLinked: (account) => accounts.find(account) !== undefined,
    usernameOf: (account) => accounts.find(account)?.username ?? "",
  });
}

function performerOf(needs: DecidingNeeds): EffectPerformer {
  const { settings, bots, telemetry, log, process, clients, pausing, gate, clock, platform } =
    needs;
  const called = telemetry?.performing(bots) ?? bots;
  const allowed = allowedHosts(settings.http?.allow ?? []);
  const request: EffectPerformer["request"] = (httpRequest, timeoutMs) =>
    sendRequest(httpRequest, { allowed, timeoutMs });
  const askPlatform = askedByBots({
    gate,
    clock,
    log,
    dryRun: process.dryRun,
    clientOf: clients.of,
    isPaused: pausing.isPaused,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    random: Math.random,
  });
  return {
    handle: (handling, support) => called.handle(handling, support),
    call: (step, signal) => called.call(step, signal),
    lookUp: lookUps(askPlatform, { clock, dialect: platform?.dialect ?? "post" }),
    ask: ({ handling }, call, signal) => askPlatform(handling.account.id, call, signal),
    request: process.dryRun === true ? dryRequests(request, log.child({ stage: "runs" })) : request,
  };
}
