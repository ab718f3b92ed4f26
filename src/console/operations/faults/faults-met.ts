import * as z from "zod";
import { RELATIONS } from "../../../events/event.ts";
import { journalQuery } from "../../../runtime/control.ts";
import type {
  ActiveFault,
  ExchangeHead,
  SandboxActivity,
} from "../../../sandbox/control/objects.ts";
import type { ShownRuntime } from "../../console-needs.ts";
import { operation, OperationError } from "../operation.ts";
import { controlOf } from "../sandbox-control.ts";

/** An HTTP exchange or a line of a stream that a fault affected. */
export interface AffectedExchange {
  /** Number under which the sandbox recorded the HTTP exchange. */
  readonly exchange: number;
  /** Whether the sandbox stores the exchange, so that the page can show it. Lines of a stream are not stored. */
  readonly isShown: boolean;
  /** Time of the exchange in ISO 8601, by the sandbox's clock. */
  readonly at: string;
  /** Id of the fault. The fault itself may have been removed since. */
  readonly fault: string;
  readonly type: ActiveFault["fault"]["type"];
  /** Description, such as `direct_message_events for @hello_bot, from @ana` or `POST /2/posts by @hello_bot`. */
  readonly what: string;
  /** Text of the affected message or post. */
  readonly said?: string;
  /** Effect of the fault, such as `refused, status 503` or `no answer`. */
  readonly became: string;
  /** Journal number of the event, if the bot received it despite the fault. */
  readonly trace?: number;
}

const MAX_EXCHANGES = 50;
/** Maximum number of activities in a response of the sandbox. */
const MAX_ACTIVITIES = 1_000;

/** Returns the exchanges that faults affected, newest first, as far back as the sandbox stores them. */
export const faultsMet = operation(
  z.strictObject({}),
  async (needs): Promise<readonly AffectedExchange[]> => {
    const control = controlOf(needs);
    const exchanges = await control.exchanges({ fault: "any", limit: MAX_EXCHANGES });
    if (exchanges.length === 0) return [];
    const [users, activities] = await Promise.all([
      control.users(),
      control.activities(undefined, MAX_ACTIVITIES),
    ]);
    const handles = new Map(users.map(({ id, username }) => [id, `@${username}`]));
    const nameOf = (id: string): string => handles.get(id) ?? id;
    const activitiesById = new Map(activities.map((one) => [one.id, one]));
    const exchangeLines = await Promise.all(
      exchanges.map(async (head) => {
        const activity = activitiesById.get(head.activity_id ?? "");
        const trace = await traceOf(needs.runtime, head, activity);
        return { ...lineOf(head, activity, nameOf), ...(trace !== undefined && { trace }) };
      }),
    );
    return exchangeLines.toReversed();
  },
);

function lineOf(
  head: ExchangeHead,
  activity: SandboxActivity | undefined,
  nameOf: (id: string) => string,
): AffectedExchange {
  const { seq, at, fault, fault_type: type } = head;
  if (fault === undefined || type === undefined) {
    throw new OperationError(`no fault affected exchange ${seq}`, 500);
  }
  const from = activity === undefined ? "" : `, from ${nameOf(activity.by)}`;
  const said = activity?.text;
  return {
    exchange: seq,
    isShown: head.direction !== "stream",
    at,
    fault,
    type,
    what: `${whatOf(head, nameOf)}${from}`,
    ...(said !== undefined && { said }),
    became: becameOf(head),
  };
}

function whatOf(
  { direction, method, url, event, for_user_id: account, user_id: user }: ExchangeHead,
  nameOf: (id: string) => string,
): string {
  if (direction === "challenge") return `challenge of ${url.replace(/\?.*$/, "")}`;
  if (direction === "request") {
    return `${method} ${url}${user === undefined ? "" : ` by ${nameOf(user)}`}`;
  }
  const whose = typeof account === "string" ? ` for ${nameOf(account)}` : "";
  return `${event}${whose}${direction === "stream" ? ` on ${url}` : ""}`;
}

function becameOf({ direction, status, outcome, fault_type: type }: ExchangeHead): string {
  if (direction === "stream") return "";
  const outcomeText = outcome === type ? undefined : outcome;
  if (status === 0) return outcomeText ?? "no answer";
  return outcomeText === undefined ? `status ${status}` : `${outcomeText}, status ${status}`;
}

/** Returns the journal number of the exchange's event. The bot may have received it later, by a retry or a replay. */
async function traceOf(
  runtime: ShownRuntime | undefined,
  { for_user_id: account }: ExchangeHead,
  activity: SandboxActivity | undefined,
): Promise<number | undefined> {
  const key = activity && keyOf(activity);
  if (runtime === undefined || key === undefined || typeof account !== "string") return undefined;
  const query = journalQuery.parse({ key, account, limit: 1 });
  return (await runtime.handlers.journal(query))[0]?.seq;
}

/** Returns the key that an activity has in the journal; undefined if the key can't be derived. */
function keyOf({ kind, ref = "", by, to, at }: SandboxActivity): string | undefined {
  if (kind === "message" || kind === "post") return `${kind}:${ref}`;
  if (kind === "delete") return `post_deleted:${ref}`;
  return RELATIONS.some((one) => one === kind) ? `${kind}:${by}>${to ?? ""}:${at}` : undefined;
}
