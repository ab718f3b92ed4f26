import * as z from "zod";
import type { ConsoleNeeds, ShownSandbox } from "../../console-needs.ts";
import type { ActiveFault, PortalUsage } from "../../../sandbox/control/objects.ts";
import { operation, OperationError } from "../operation.ts";
import { controlOf } from "../sandbox-control.ts";

/**
 * Breakages of the bot's access. Unlike faults, they change the sandbox's data: `token` revokes the bot's access, `cap`
 * uses up its daily limits.
 */
export type BreakageKind = "token" | "cap";

/** A breakage that is in effect. */
export interface Breakage {
  readonly kind: BreakageKind;
  readonly says: string;
  /** Time at which the breakage ends by itself, in ISO 8601, by the sandbox's clock. */
  readonly until?: string;
  /** Label of the button that repairs the breakage. Absent: the console can't repair it. */
  readonly undo?: string;
}

/** An active fault with its description. */
export interface ShownFault extends ActiveFault {
  /** Description, such as `status 503 on request /2/* account @hello_bot`. */
  readonly what: string;
}

/** Deliberate faults and breakages in the sandbox. */
export interface ActiveTrouble {
  readonly faults: readonly ShownFault[];
  readonly breakages: readonly Breakage[];
}

const DAY_MS = 86_400_000;
/** Milliseconds of the sandbox's clock until the daily limits that the breakage `cap` used up are reset. */
const CAPPED_MS = 3_600_000;

/** Returns the active faults and breakages. */
export const trouble = operation(z.strictObject({}), async (needs): Promise<ActiveTrouble> => {
  const control = controlOf(needs);
  const { app, bot } = needs.sandbox ?? {};
  const [active, users] = await Promise.all([control.faults(), control.users()]);
  const handles = new Map(users.map(({ id, username }) => [id, `@${username}`]));
  const faults = active.map((fault) => ({ ...fault, what: whatOf(fault, handles) }));
  if (app === undefined || bot === undefined) return { faults, breakages: [] };
  const [grants, usage] = await Promise.all([control.grants(app.id), control.usage(app.id)]);
  const mayAct = grants.some(({ user_id, works }) => user_id === bot.id && works);
  const until = usedUpUntil(usage);
  const revoked: Breakage = {
    kind: "token",
    says: `token of @${bot.username} revoked`,
    ...(needs.runtime && { undo: "Log in again" }),
  };
  const breakages: Breakage[] = [
    ...(mayAct ? [] : [revoked]),
    ...(until === undefined
      ? []
      : [
          {
            kind: "cap" as const,
            says: "daily limits for writing used up",
            until,
            undo: "Reset the limits",
          },
        ]),
  ];
  return { faults, breakages };
});

function whatOf({ match, fault }: ActiveFault, handles: ReadonlyMap<string, string>): string {
  const { type, ...values } = fault;
  const { direction, account, ...narrower } = match;
  const whose = account === undefined ? {} : { account: handles.get(account) ?? account };
  const shown = [type, ...pairs(values), "on", direction, ...pairs({ ...narrower, ...whose })];
  return shown.join(" ");
}

function pairs(values: object): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [name === "status" || name === "path" ? `${value}` : `${name} ${value}`],
  );
}

function usedUpUntil({ limits }: PortalUsage): string | undefined {
  return limits.find(
    ({ endpoint, window_ms, used, limit }) =>
      window_ms === DAY_MS && used >= limit && !endpoint.startsWith("GET "),
  )?.resets_at;
}

/**
 * Returns the bot's app and account in the sandbox.
 *
 * @throws {OperationError} if the console does not know both.
 */
function knownIn({ sandbox }: ConsoleNeeds): Required<Pick<ShownSandbox, "app" | "bot">> {
  const { app, bot } = sandbox ?? {};
  if (app !== undefined && bot !== undefined) return { app, bot };
  throw new OperationError("no bot of this sandbox is known here", 404);
}

/** Returns the request to the sandbox's control interface that causes a breakage. */
export function breaking(
  { app, bot }: ReturnType<typeof knownIn>,
  kind: BreakageKind,
): { readonly method: string; readonly path: string; readonly body?: unknown } {
  if (kind === "token") return { method: "DELETE", path: `/users/${bot.id}/apps/${app.id}` };
  const body = { used: "all", user_id: bot.id, resets_in_ms: CAPPED_MS };
  return { method: "POST", path: `/apps/${app.id}/usage`, body };
}

/** Causes a breakage. */
export async function breakNow(needs: ConsoleNeeds, kind: BreakageKind): Promise<void> {
  const { method, path, body } = breaking(knownIn(needs), kind);
  await controlOf(needs).call(method, path, body);
}

/** Repairs a breakage. @returns A sentence about the result. */
export const mend = operation(
  z.strictObject({ kind: z.enum(["token", "cap"]) }),
  async (needs, { kind }): Promise<{ readonly says: string }> => {
    const { app, bot } = knownIn(needs);
    const control = controlOf(needs);
    if (kind === "cap") {
      await control.changeUsage(app.id, { used: "none", user_id: bot.id });
      return {
        says: "The limits are reset. A refused bot still waits until the named time.",
      };
    }
    const { runtime } = needs;
    if (runtime === undefined) throw new OperationError("the bot runs elsewhere: link it there");
    const tokens = await control.tokens(bot.id, app.id);
    const { now } = await control.clock();
    const { subscribed, reason } = await runtime.handlers.linkAccount({
      id: bot.id,
      username: bot.username,
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
      linkedAt: Date.parse(now),
    });
    const outcome = subscribed ? "its events arrive again" : (reason ?? "no events arrive yet");
    return { says: `@${bot.username} has logged in again: ${outcome}.` };
  },
);
