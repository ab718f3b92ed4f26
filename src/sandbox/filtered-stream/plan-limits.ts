import { type AppRow, projects } from "../model/apps.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";

/** What a plan allows of filtered streams. */
export interface StreamLimits {
  readonly rulesPerApp: number;
  readonly rulesPerProject: number;
  /** Characters of a rule. */
  readonly ruleLength: number;
  readonly connections: number;
}

/** Source: the live service's page on filtered streams. */
const ENTERPRISE: StreamLimits = {
  rulesPerApp: 1_000,
  rulesPerProject: 5_000,
  ruleLength: 2_048,
  connections: 2,
};
const OTHER: StreamLimits = {
  rulesPerApp: 1_000,
  rulesPerProject: 1_000,
  ruleLength: 1_024,
  connections: 1,
};

/** What the plan of an app's project allows. */
export function streamLimits(world: SandboxWorld, app: AppRow): StreamLimits {
  return projects.in(world).get(app.projectId)?.plan === "enterprise" ? ENTERPRISE : OTHER;
}
