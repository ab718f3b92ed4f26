import type { ControlHandlers } from "../runtime/control/contract.ts";
import type { Missing } from "../runtime/readiness.ts";
import { NO_TRIAL, openCrashTrial } from "../runtime/runs/crash-trial.ts";
import { type Answering, startAnswering } from "./answer.ts";
import { followInstances } from "./answering/follow-instances.ts";
import type { AnsweringNeeds } from "./answering/ground.ts";
import { notAnswering } from "./answering/not-answering.ts";
import { openPausing } from "./answering/pausing.ts";
import { idleParts } from "./health/idle-parts.ts";
import { liveness } from "./health/liveness.ts";
import { undecidedCount } from "./health/undecided.ts";
import { Leadership } from "./lead.ts";
import { type OperatingNeeds, startOperating } from "./operate.ts";
import { type HostedBot, completeParts, PROBE, type RuntimeParts } from "./parts.ts";
import { closedRouter } from "../runtime/webhook/router.ts";
import { appending, type ServerNeeds, serverOf, startSource } from "./receive.ts";
import {
  followOthers,
  joinColleagues,
  leasesElsewhere,
  type OwnPlace,
} from "./roles/among-others.ts";
import { LeadersSeat } from "./roles/leaders-seat.ts";
import { type Leading, leadingOf } from "./roles/leading.ts";
import { succeedPredecessor } from "./roles/predecessor.ts";
import { type Reception, receptionOf } from "./roles/reception.ts";

/** Options for the start of a runtime. */
export interface StartOptions
  extends
    Pick<OperatingNeeds, "serveConsole" | "mask">,
    Partial<Pick<ServerNeeds, "router" | "isServedElsewhere">> {
  /** Called once the webhook's server listens, before the platform is asked to call the webhook. */
  readonly onListening?:
    | ((at: { readonly host: string; readonly port: number }) => Promise<void>)
    | undefined;
}

/** A running bot. */
export interface StartedRuntime {
  readonly handlers: ControlHandlers;
  readonly controlUrl: string;
}

/**
 * Starts a bot: accepts events, decides, answers.
 *
 * The start runs against the flow of events: the answering parts start before the receiving parts, and the platform
 * learns of the webhook last. A stop runs in reverse order within a time limit; unfinished work stays in the store for
 * the next start.
 *
 * An unreachable platform does not block the start: the status lists the missing parts, and their start is retried.
 *
 * @throws {UsageError} when an account is not linked or the webhook's address is taken.
 */
export async function startRuntime(
  parts: RuntimeParts,
  options: StartOptions = {},
): Promise<StartedRuntime> {
  const bot = await completeParts(parts);
  await succeedPredecessor(bot);
  const { platform, log, store, cleanup, accounts, world, state, role } = bot;
  const pausing = await openPausing(bot);
  const instances = await followInstances({ ...bot, pausing });
  const reception = receptionOf();
  const own = await joinColleagues({ ...bot, reception });
  const { colleagues } = own;
  let isMissedRead = false;
  const { answering, trial } = await startToAnswer(bot, {
    pausing,
    elsewhere: () => leasesElsewhere(colleagues),
    onDecided: instances.onDecided,
    // Before missed events are read, the bot can't know whether an answer of its backlog was already sent from another
    // store.
    maySend: () => isMissedRead && instances.isChecked(),
  });

  const seat = new LeadersSeat(answering.leases);
  const leading = leadingOf({ ...bot, seat, colleagues, reception });
  const { link, catchup, searches, posts } = leading;
  own.tell({ leases: () => answering.leases.held(), leading: () => leading.note() });
  const keepAs = appending({ ...bot, answering, catchup });
  const onMissedRead = (): void => void (isMissedRead = true);
  const leadership = role.answers
    ? new Leadership({ ...bot, seat, answering, link, keepAs, colleagues, instances, onMissedRead })
    : undefined;
  if (leadership === undefined) state.intake.ready();
  else cleanup.add("the leader's tasks", () => leadership.stop());
  await leadership?.prepare();
  if (!seat.leads()) isMissedRead = true;

  const { source, missing } = openServer(bot, { options, answering, link });
  cleanup.add("the entry in the list of receivers", () => own.leaves());
  const onArrived = (account: string): void => link.arrived({ kind: "delivery", account });
  await startSource(source, { ...bot, keepAs, gate: catchup.gate, onArrived });
  if (role.takesIn) {
    await announce(world, own, reception);
    await options.onListening?.(source.status());
  }
  await leadership?.begin();
  if (store.isShared) cleanup.add("the link to other processes", followOthers(bot, pausing, log));

  const stages = { link, catchup, searches, posts, answering, source, colleagues, missing, trial };
  const { others } = instances;
  const operating = { ...bot, ...options, ...stages, others, pausing, keepAs };
  const { control, handlers } = await startOperating(operating);
  cleanup.add("readiness", () => state.runtime.notReady("stopping"));
  state.runtime.ready();
  log.info({ webhook: platform.webhookUrl, accounts: accounts.list().length }, "ready");
  return { handlers, controlUrl: control.url };
}

/** Parts that the server reports on or passes deliveries to. */
interface ServedParts {
  readonly options: StartOptions;
  readonly answering: Answering;
  readonly link: Leading["link"];
}

/** Opens the server of the webhook and of readiness; returns it with the list of missing parts that it shows. */
function openServer(bot: HostedBot, { options, answering, link }: ServedParts) {
  const { state, accounts, clock, store, health } = bot;
  const missing = async (): Promise<readonly Missing[]> => [
    ...(await state.missing()),
    ...idleParts({ accounts, link, answering, clock }),
  ];
  const undecided = undecidedCount({ stats: () => store.stats(), onError: health.failed });
  const alive = liveness(() => store.getMeta(PROBE));
  const { router = closedRouter(), isServedElsewhere = false } = options;
  const served = { router, isServedElsewhere, missing, alive, undecided };
  return { source: serverOf({ ...bot, ...served, arrived: link.arrived }), missing };
}

/** Announces to the other processes that this process serves the webhook, once it accepts deliveries. */
async function announce(
  world: HostedBot["world"],
  own: Pick<OwnPlace, "hasNews">,
  reception: Pick<Reception, "serves">,
): Promise<void> {
  const serves = (): Promise<void> => {
    reception.serves();
    return own.hasNews();
  };
  if (world.isConfirmed()) await serves();
  else world.onConfirmed(() => void serves());
}

/**
 * Starts deciding and sending. Before that, it looks for an entry that crashed the previous process. A process with the
 * role `receiver` neither decides nor sends.
 */
async function startToAnswer(
  bot: HostedBot,
  others: Required<Pick<AnsweringNeeds, "pausing" | "elsewhere" | "maySend" | "onDecided">>,
) {
  const { store, log, rules, role, cleanup } = bot;
  if (!role.answers) return { answering: notAnswering({ ...bot, ...others }), trial: NO_TRIAL };
  const { stableName } = bot.process;
  const trial = await openCrashTrial({ store, log: log.child({ stage: "runs" }), stableName });
  cleanup.add("the record that this process is running", () => trial.close());
  const answering: Answering = await startAnswering({ ...bot, ...others, trial });
  await rules.follow((ids) => answering.rulesChanged(ids));
  // The leases repeat a failed check, also if the store failed at the first one.
  answering.leases.onTaken(() => rules.checkTakenPartitions());
  return { answering, trial };
}
