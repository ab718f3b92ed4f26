/** Specification of a Prometheus metric. */
export interface MetricSpec {
  /** Name by Prometheus' conventions: `_total` for counters, base units at the end. */
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  /**
   * Names of labels. A label has few values: accounts of the bot, endpoints, fixed words. No label identifies a person.
   */
  readonly labels: readonly string[];
  readonly help: string;
  /**
   * Values of the labels whose series a counter has from the start, with the value 0. Without them, Prometheus would see
   * no increase at the first count after a start.
   */
  readonly fromZero?: readonly (readonly string[])[];
  /** Upper bounds of a histogram's buckets, in seconds. */
  readonly buckets?: readonly number[];
}

const FAST = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const SLOW = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200];

/** Statuses of ended runs. */
const RUN_ENDS = ["done", "failed", "stopped", "dropped"];

/** All metrics of a runtime, except the metrics of the process (`process_…`, `nodejs_…`), which prom-client adds. */
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
    help: "1 for each part that does not work at the moment, so that the bot can't receive or can't send.",
  },
  deliveries: {
    name: "answerback_deliveries_total",
    type: "counter",
    labels: ["status"],
    help: "Deliveries by the HTTP status of the response. Status aborted: the sender closed the connection first.",
  },
  challenges: {
    name: "answerback_challenges_total",
    type: "counter",
    labels: ["status"],
    help: "Challenges of the webhook by the HTTP status of the response.",
  },
  acknowledgement: {
    name: "answerback_acknowledgement_seconds",
    type: "histogram",
    labels: [],
    help: "Time from the headers of a delivery to its response 200. Its events are then on disk.",
    buckets: FAST,
  },
  shedding: {
    name: "answerback_shedding",
    type: "gauge",
    labels: [],
    help: "1 while deliveries are refused with 503, because too much work is waiting.",
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
    help: "Age of the oldest event that waits for a decision of the rules, by the platform's clock; 0 if none waits.",
  },
  inbox: {
    name: "answerback_inbox_inputs",
    type: "gauge",
    labels: [],
    help: "Inputs that wait to be processed, and steps of runs in progress.",
  },
  journal: {
    name: "answerback_journal_entries",
    type: "gauge",
    labels: [],
    help: "Entries in the journal.",
  },
  decisions: {
    name: "answerback_decisions_total",
    type: "counter",
    labels: ["outcome"],
    help: "Decisions on events, by outcome: done, retry (failed, to be retried) or dead-lettered (failed for good).",
    fromZero: [["done"], ["retry"], ["dead-lettered"]],
  },
  verdicts: {
    name: "answerback_verdicts_total",
    type: "counter",
    labels: ["outcome", "reason"],
    help: "Results of rules for events of their triggers, by outcome and reason.",
  },
  runsEnded: {
    name: "answerback_runs_total",
    type: "counter",
    labels: ["owner", "status"],
    help: "Ended runs of rules and bots. A failed run of a bot is an error of its handler.",
    fromZero: ["rule", "bot"].flatMap((owner) => RUN_ENDS.map((status) => [owner, status])),
  },
  runs: {
    name: "answerback_open_runs",
    type: "gauge",
    labels: ["status"],
    help: "Runs that have not ended.",
  },
  escalations: {
    name: "answerback_open_escalations",
    type: "gauge",
    labels: ["queue"],
    help: "Open hand-overs: a rule asked a person to take over, and no operator has resolved it yet.",
  },
  items: {
    name: "answerback_items",
    type: "gauge",
    labels: ["status"],
    help: "Items stored in the outbox, by status. Items that the operator discarded are dropped, not failed.",
  },
  itemsSettled: {
    name: "answerback_items_settled_total",
    type: "counter",
    labels: ["status"],
    help: "Items that were sent, failed, expired or dropped by the operator, or whose outcome became unknown.",
    fromZero: [["sent"], ["failed"], ["expired"], ["dropped"], ["unknown"]],
  },
  answerDelay: {
    name: "answerback_answer_delay_seconds",
    type: "histogram",
    labels: [],
    help: "Time from an event's arrival to the first request that sends its answer, by the platform's clock.",
    buckets: SLOW,
  },
  requests: {
    name: "answerback_request_seconds",
    type: "histogram",
    labels: ["endpoint", "status"],
    help: "Duration of requests to the platform; each retry counts. Status none: no response.",
    buckets: FAST,
  },
  inHand: {
    name: "answerback_in_hand",
    type: "gauge",
    labels: ["what"],
    help: "Work in progress: inputs, steps of runs (effects), requests.",
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
    help: "Age of the oldest event that waits for a decision, for each partition that this process works on.",
  },
  process: {
    name: "answerback_process",
    type: "gauge",
    labels: ["process", "role"],
    help: "Always 1; its labels are the process's name, as in status and log, and its role.",
  },
  leads: {
    name: "answerback_leads",
    type: "gauge",
    labels: [],
    help: "1 while this process is the leader: it manages the webhook, catches up missed events and runs schedules for all processes of the store.",
  },
  clockAhead: {
    name: "answerback_clock_ahead_seconds",
    type: "gauge",
    labels: [],
    help: "How far this machine's clock is ahead of the store's clock; negative if it is behind.",
  },
  budgetRemaining: {
    name: "answerback_budget_remaining",
    type: "gauge",
    labels: ["endpoint", "account", "window"],
    help: "Remaining requests of a rate limit of the platform in its current window. Without an account: a limit of the app.",
  },
  budgetLimit: {
    name: "answerback_budget_limit",
    type: "gauge",
    labels: ["endpoint", "account", "window"],
    help: "Requests that a rate limit of the platform allows per window.",
  },
  platformSilent: {
    name: "answerback_platform_silent_seconds",
    type: "gauge",
    labels: [],
    help: "How long requests to the platform have had no response or a 5xx, by the platform's clock; 0 if the last request was answered.",
  },
  circuits: {
    name: "answerback_circuit_open",
    type: "gauge",
    labels: ["endpoint", "account"],
    help: "1 while the circuit breaker is open: only probe requests are sent to the endpoint or, with an account, for that account.",
  },
  linkValid: {
    name: "answerback_link_valid",
    type: "gauge",
    labels: [],
    help: "1 while the webhook is registered and its latest challenge was answered. Absent with the source polling.",
  },
  subscribed: {
    name: "answerback_account_subscribed",
    type: "gauge",
    labels: ["account"],
    help: "1 while the platform delivers the account's events.",
  },
  coverage: {
    name: "answerback_coverage_seconds",
    type: "gauge",
    labels: ["account", "state"],
    help: "Time within the last 24 hours of an account, by state: whether its events were received.",
  },
  gaps: {
    name: "answerback_gaps",
    type: "gauge",
    labels: [],
    help: "Periods of accounts with missed events that are not caught up yet.",
  },
  oldestGap: {
    name: "answerback_oldest_gap_seconds",
    type: "gauge",
    labels: [],
    help: "Time since the oldest of these periods began; 0 if there is none.",
  },
  botFaults: {
    name: "answerback_bot_modules_failed",
    type: "gauge",
    labels: [],
    help: "Bot modules that could not be loaded.",
  },
  postsUsed: {
    name: "answerback_month_posts",
    type: "gauge",
    labels: [],
    help: "Posts that the app has received this month. Only the leader has it, once the platform has reported it.",
  },
  postsCap: {
    name: "answerback_month_posts_cap",
    type: "gauge",
    labels: [],
    help: "Monthly post cap of the app. At the cap no posts arrive; messages do, and answers are sent.",
  },
} as const satisfies Record<string, MetricSpec>;

export type MetricName = keyof typeof METRICS;
