/** Specification of a Prometheus metric. */
export interface MetricSpec {
  /** Name by Prometheus' conventions: `_total` for counters, base units at the end. */
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** Labels with few values: accounts of the bot, endpoints, words of this program. Never people. */
  readonly labels: readonly string[];
  readonly help: string;
  /** Upper bounds of a histogram's buckets, in seconds. */
  readonly buckets?: readonly number[];
}

const FAST = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const SLOW = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200];

/** All metrics of a runtime. Those of the process (`process_…`, `nodejs_…`) are prom-client's own. */
export const METRICS = {
  ready: {
    name: "answerback_ready",
    type: "gauge",
    labels: [],
    help: "1 while the bot accepts the platform's deliveries, like /readyz.",
  },
  missing: {
    name: "answerback_missing",
    type: "gauge",
    labels: ["part"],
    help: "1 for each part that keeps the bot from its work: from taking in, or from sending.",
  },
  deliveries: {
    name: "answerback_deliveries_total",
    type: "counter",
    labels: ["status"],
    help: "Deliveries by the status of the answer; aborted: their sender went away first.",
  },
  challenges: {
    name: "answerback_challenges_total",
    type: "counter",
    labels: ["status"],
    help: "Challenges of the webhook by the status of the answer.",
  },
  acknowledgement: {
    name: "answerback_acknowledgement_seconds",
    type: "histogram",
    labels: [],
    help: "From a delivery's head to its answer 200, by which its events are on disk.",
    buckets: FAST,
  },
  shedding: {
    name: "answerback_shedding",
    type: "gauge",
    labels: [],
    help: "1 while deliveries are turned away with 503, since too much is not worked off.",
  },
  events: {
    name: "answerback_events_total",
    type: "counter",
    labels: ["kind", "source"],
    help: "New events in the journal.",
  },
  lag: {
    name: "answerback_lag_seconds",
    type: "gauge",
    labels: [],
    help: "Age of the oldest event that is not decided on, by the platform's clock; 0 when none waits.",
  },
  inbox: {
    name: "answerback_inbox_inputs",
    type: "gauge",
    labels: [],
    help: "Inputs that lanes still have to take in, and effects of runs that are under way.",
  },
  journal: {
    name: "answerback_journal_entries",
    type: "gauge",
    labels: [],
    help: "Entries kept in the journal.",
  },
  decisions: {
    name: "answerback_decisions_total",
    type: "counter",
    labels: ["outcome"],
    help: "Events decided on: done, retry (it failed, and is tried again), dead-lettered.",
  },
  verdicts: {
    name: "answerback_verdicts_total",
    type: "counter",
    labels: ["outcome", "reason"],
    help: "Verdicts of rules on the events of their triggers.",
  },
  runsEnded: {
    name: "answerback_runs_total",
    type: "counter",
    labels: ["owner", "status"],
    help: "Runs that ended, of rules and of bots; failed ones of bots are faults of their handlers.",
  },
  runs: {
    name: "answerback_open_runs",
    type: "gauge",
    labels: ["status"],
    help: "Runs that are not over.",
  },
  escalations: {
    name: "answerback_open_escalations",
    type: "gauge",
    labels: ["queue"],
    help: "Open hand-overs: rules asked a person to take over, and no operator has resolved them.",
  },
  items: {
    name: "answerback_items",
    type: "gauge",
    labels: ["status"],
    help: "Items of the outbox that are kept, by status; those that the operator gave up are dropped, not failed.",
  },
  itemsSettled: {
    name: "answerback_items_settled_total",
    type: "counter",
    labels: ["status"],
    help: "Items that were sent, failed, expired or dropped by the operator, or whose outcome became unknown.",
  },
  answerDelay: {
    name: "answerback_answer_delay_seconds",
    type: "histogram",
    labels: [],
    help: "From an event's arrival to the first request of an answer that its decision queued, by the platform's clock.",
    buckets: SLOW,
  },
  requests: {
    name: "answerback_request_seconds",
    type: "histogram",
    labels: ["endpoint", "status"],
    help: "Requests to the platform, each try by itself; status none: there was no answer.",
    buckets: FAST,
  },
  inHand: {
    name: "answerback_in_hand",
    type: "gauge",
    labels: ["what"],
    help: "What is under way: inputs, effects, requests.",
  },
  partitions: {
    name: "answerback_partitions",
    type: "gauge",
    labels: [],
    help: "Partitions of lanes that this process works on.",
  },
  partitionLag: {
    name: "answerback_partition_lag_seconds",
    type: "gauge",
    labels: ["partition"],
    help: "Age of the oldest event still to decide, for each partition of lanes that this process works on.",
  },
  process: {
    name: "answerback_process",
    type: "gauge",
    labels: ["process", "role"],
    help: "1 for this process, by the name that status and log know it by.",
  },
  leads: {
    name: "answerback_leads",
    type: "gauge",
    labels: [],
    help: "1 while this process does what is done once for all that share a store: the link, catching up, schedules.",
  },
  clockAhead: {
    name: "answerback_clock_ahead_seconds",
    type: "gauge",
    labels: [],
    help: "How far the clock of this machine is ahead of the store's; negative where it is behind.",
  },
  budgetRemaining: {
    name: "answerback_budget_remaining",
    type: "gauge",
    labels: ["endpoint", "account", "window"],
    help: "Requests that a limit of the platform leaves in its window; without an account: of the app.",
  },
  budgetLimit: {
    name: "answerback_budget_limit",
    type: "gauge",
    labels: ["endpoint", "account", "window"],
    help: "Requests that a limit of the platform allows in a whole window.",
  },
  platformSilent: {
    name: "answerback_platform_silent_seconds",
    type: "gauge",
    labels: [],
    help: "Time since requests to the platform end with no answer or with 5xx, by the platform's clock; 0 when the last was answered.",
  },
  circuits: {
    name: "answerback_circuit_open",
    type: "gauge",
    labels: ["endpoint", "account"],
    help: "1 while only probes go: to the endpoint or, with an account, for that account.",
  },
  linkValid: {
    name: "answerback_link_valid",
    type: "gauge",
    labels: [],
    help: "1 while the platform has the webhook and its latest challenge was answered.",
  },
  subscribed: {
    name: "answerback_account_subscribed",
    type: "gauge",
    labels: ["account"],
    help: "1 while an account's events come.",
  },
  coverage: {
    name: "answerback_coverage_seconds",
    type: "gauge",
    labels: ["account", "state"],
    help: "How the last 24 hours of an account are covered.",
  },
  gaps: {
    name: "answerback_gaps",
    type: "gauge",
    labels: [],
    help: "Stretches of an account's time that are still to be caught up.",
  },
  oldestGap: {
    name: "answerback_oldest_gap_seconds",
    type: "gauge",
    labels: [],
    help: "How long ago the oldest of them began; 0 when there is none.",
  },
  botFaults: {
    name: "answerback_bot_modules_failed",
    type: "gauge",
    labels: [],
    help: "Bot modules that could not be loaded.",
  },
} as const satisfies Record<string, MetricSpec>;

export type MetricName = keyof typeof METRICS;
