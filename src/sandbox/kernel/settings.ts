import * as z from "zod";
import { ApiError } from "./http/api-error.ts";

const ms = z.int().min(0).max(86_400_000);

/** Settings that `PATCH /_sandbox/settings` may change. Times are milliseconds. */
export const settingsPatch = z
  .strictObject({
    limits: z
      .strictObject({
        enabled: z
          .boolean()
          .describe("false: no request is refused, and headers show the full budget."),
        scale: z
          .number()
          .positive()
          .max(1_000_000)
          .describe("Factor for all request limits: 2 doubles them."),
        posts_per_month: z
          .int()
          .min(0)
          .max(2_147_483_647)
          .describe("Monthly post cap of a project; not enforced if `enabled` is false."),
      })
      .partial(),
    delays: z
      .strictObject({
        first_events_ms: ms.describe("Delay from a new subscription to its first events."),
        delivery_ms: ms.describe("Delay before each delivery."),
        replay_ms: ms.describe("Delay from a replay request to its first delivery."),
        replay_least_ms: ms.describe("Minimum duration of a replay job, in real time."),
        longest_delivery_ms: ms.describe("Accepted, without effect."),
      })
      .partial(),
    timeouts: z
      .strictObject({
        challenge_ms: ms
          .min(1)
          .max(10_000)
          .describe("Time limit for the answer to a challenge, in real time."),
        delivery_ms: ms
          .min(1)
          .max(60_000)
          .describe("Time limit for the answer to a delivery, in real time."),
        body_ms: ms
          .min(1)
          .describe("Time limit for each 16 MiB of a request's body, in real time."),
      })
      .partial(),
    retries_ms: z
      .array(ms)
      .max(20)
      .describe("Waiting times between delivery attempts, by the sandbox's clock."),
    challenge_every_ms: ms.min(60_000).describe("Time between two challenges of each webhook."),
  })
  .partial();

/** Settings that `PATCH /_sandbox/settings` and the start of a sandbox accept. */
export type SettingsPatch = z.infer<typeof settingsPatch>;

/** The settings of a sandbox. Times are milliseconds. */
export interface SandboxSettings {
  readonly limits: {
    readonly enabled: boolean;
    readonly scale: number;
    /** Maximum number of posts that a project may receive in a calendar month. */
    readonly posts_per_month: number;
  };
  readonly delays: {
    readonly first_events_ms: number;
    readonly delivery_ms: number;
    readonly replay_ms: number;
    readonly replay_least_ms: number;
    readonly longest_delivery_ms: number;
  };
  readonly timeouts: {
    readonly challenge_ms: number;
    readonly delivery_ms: number;
    readonly body_ms: number;
  };
  readonly retries_ms: readonly number[];
  readonly challenge_every_ms: number;
}

/** Default settings. The retry delays are assumed. The post cap is that of the live pay-per-use plan. */
export const DEFAULT_SETTINGS: SandboxSettings = {
  limits: { enabled: true, scale: 1, posts_per_month: 2_000_000 },
  delays: {
    first_events_ms: 0,
    delivery_ms: 0,
    replay_ms: 0,
    replay_least_ms: 250,
    longest_delivery_ms: 10_000,
  },
  timeouts: { challenge_ms: 5_000, delivery_ms: 3_000, body_ms: 10_000 },
  retries_ms: [3_000, 27_000, 242_000],
  challenge_every_ms: 3_600_000,
};

/** Returns `base` with the keys of `patch` replaced, two levels deep. */
export function withPatch(base: SandboxSettings, patch: SettingsPatch): SandboxSettings {
  return {
    limits: { ...base.limits, ...defined(patch.limits) },
    delays: { ...base.delays, ...defined(patch.delays) },
    timeouts: { ...base.timeouts, ...defined(patch.timeouts) },
    retries_ms: patch.retries_ms ?? base.retries_ms,
    challenge_every_ms: patch.challenge_every_ms ?? base.challenge_every_ms,
  };
}

/** Merges two changes of the settings; `later` wins. */
export function mergedPatch(earlier: SettingsPatch, later: SettingsPatch): SettingsPatch {
  return {
    ...earlier,
    ...defined(later),
    limits: { ...earlier.limits, ...defined(later.limits) },
    delays: { ...earlier.delays, ...defined(later.delays) },
    timeouts: { ...earlier.timeouts, ...defined(later.timeouts) },
  };
}

/** Validates stored settings. @throws {ApiError} 400 if they are invalid. */
export function readSettings(storedSettings: unknown): SettingsPatch {
  const result = settingsPatch.safeParse(storedSettings);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw ApiError.control(
    400,
    "invalid_state",
    `settings.${issue?.path.join(".")}: ${issue?.message}`,
  );
}

/** Returns `patch` without the keys whose value is undefined. */
function defined<T extends object>(
  patch: T | undefined,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const definedValues: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  return Object.assign(
    definedValues,
    Object.fromEntries(Object.entries(patch ?? {}).filter(([, v]) => v !== undefined)),
  );
}
