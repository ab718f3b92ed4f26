import type { Answering } from "../answer.ts";
import type { Listen } from "../../config/settings.ts";
import { statusOf, type StatusNeeds } from "./status.ts";
import type { Limits } from "../../runtime/telemetry/limits.ts";
import type { MeasuredState } from "../../runtime/telemetry/measured-state.ts";
import type { Metrics } from "../../runtime/telemetry/metrics.ts";
import { type MetricsServer, serveMetrics } from "../../runtime/telemetry/metrics-server.ts";

/** Parts of a bot that its gauges are read from. */
type MeasureNeeds = Omit<StatusNeeds, "metrics">;

const COVERAGE_HOURS = 24;

/**
 * Serves the metrics for Prometheus; undefined if the settings name no address.
 *
 * @throws {UsageError} when the address is not available.
 */
export async function measureAt(
  listen: Listen | undefined,
  metrics: Metrics | undefined,
  needs: MeasureNeeds,
): Promise<MetricsServer | undefined> {
  if (listen === undefined || metrics === undefined) return undefined;
  const text = async () => metrics.text(await measuredState(needs));
  const server = await serveMetrics({
    at: listen,
    contentType: metrics.contentType,
    text,
    log: needs.log,
  });
  needs.log.info({ at: `${server.host}:${server.port}` }, "metrics are served at /metrics");
  return server;
}

/** Reads the current state of the runtime, which the gauges show, at a request of Prometheus. */
async function measuredState(needs: MeasureNeeds): Promise<MeasuredState> {
  const { answering, catchup, clock } = needs;
  const status = await statusOf({ ...needs, metrics: undefined });
  const { accounts } = await catchup.coverage({ hours: COVERAGE_HOURS });
  const names = new Map(status.accounts.map(({ id, username }) => [id, username]));
  const held = answering.leases.held();
  const oldest = await needs.store.partitionLag(held);
  return {
    ...status,
    now: clock.now(),
    oldestOf: held.map(({ partition }) => [partition, oldest.get(partition)]),
    self: status.processes.find(({ name }) => name === status.process),
    notReady: (await needs.missing()).map(({ part }) => part),
    stalled: answering.stalled().map(({ part }) => part),
    coverage: accounts,
    botFaults: status.botFaults.length,
    limits: namedLimits(answering.gate, names),
  };
}

/** Returns the limits with the handles of their accounts instead of ids. */
function namedLimits(
  gate: Pick<Answering["gate"], "budgets" | "circuits">,
  names: ReadonlyMap<string, string>,
): Limits {
  const named = <T extends { readonly account?: string }>(one: T): T =>
    one.account === undefined ? one : { ...one, account: names.get(one.account) ?? one.account };
  return { budgets: gate.budgets().map(named), circuits: gate.circuits().map(named) };
}
