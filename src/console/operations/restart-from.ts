import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import type { Act, SandboxActivity } from "../../sandbox/control/objects.ts";
import { itemQuery, journalQuery } from "../../runtime/control.ts";
import type { ConsoleNeeds } from "../console-needs.ts";
import { operation, OperationError } from "./operation.ts";
import { controlOf } from "./sandbox-control.ts";

/** The new person, and the number of actions that were repeated. */
export interface Restarted {
  readonly username: string;
  readonly said: number;
}

/** Maximum number of activities that the sandbox stores. */
const ALL = 1_000;
/** Maximum number of characters of a handle before its number. */
const LONGEST_STEM = 12;

/**
 * Creates a person who repeats the actions of another person up to a message. Before each further action, waits until
 * the bot has answered the previous one.
 */
export const restartFrom = operation(
  z.strictObject({ activity: z.string().min(1) }),
  async (needs, { activity }): Promise<Restarted> => {
    const control = controlOf(needs);
    const bot = needs.sandbox?.bot;
    if (bot === undefined)
      throw new OperationError("no bot runs here to restart the conversation with", 404);
    const activities = await control.activities(undefined, ALL);
    const last = activities.findIndex(({ id }) => id === activity);
    const by = activities[last]?.by;
    const users = await control.users();
    const person = users.find(({ id }) => id === by);
    if (person === undefined || person.id === bot.id) {
      throw new OperationError("that message no longer exists, or is the bot's own", 404);
    }
    const acts = activities
      .slice(0, last + 1)
      .filter((one) => one.by === person.id)
      .flatMap((one) => actAgain(one, bot.id) ?? []);
    const handles = new Set(users.map((one) => one.username.toLowerCase()));
    const username = freeHandle(person.username, handles);
    const id = await control.user(username);
    for (const act of acts) {
      const actResult = await control.act(id, act);
      await answered(needs, `${bot.id}/${id}`, "text" in act ? actResult.id : `${act.type}:${id}>`);
    }
    return { username, said: acts.length };
  },
);

/** Actions that one person performs on the bot's account. */
const RELATIONS = ["follow", "unfollow", "block", "unblock", "mute", "unmute"] as const;

/**
 * Returns an action for another person to repeat; undefined for an action that refers to something that only the first
 * person has.
 */
function actAgain(done: SandboxActivity, bot: string): Act | undefined {
  const { kind, text, to, refers_to: others = [] } = done;
  if (kind === "message" && to === bot && text !== undefined) return { type: "dm", to, text };
  if (kind === "post" && others.length === 0 && text !== undefined) return { type: "post", text };
  const type = RELATIONS.find((one) => one === kind);
  return type === undefined || to !== bot ? undefined : { type, user_id: bot };
}

/** Returns a free handle: `ana2` for `ana`, `ana3` for `ana2`. @param takenHandles Handles in lower case. */
function freeHandle(username: string, takenHandles: ReadonlySet<string>): string {
  const stem = username.replace(/\d+$/, "").slice(0, LONGEST_STEM);
  let n = 2;
  while (takenHandles.has(`${stem}${n}`.toLowerCase())) n += 1;
  return `${stem}${n}`;
}

/** Maximum wait for the bot's reaction in milliseconds. A fault may keep the bot from receiving an action. */
const PATIENCE_MS = 3_000;
const LOOK_MS = 25;

/**
 * Waits until the bot has processed an action and sent its immediate answers.
 *
 * @param sign Text that occurs in the key or body of the action's event.
 */
async function answered({ runtime }: ConsoleNeeds, lane: string, sign: string): Promise<void> {
  if (runtime === undefined) return;
  const { handlers } = runtime;
  const ends = performance.now() + PATIENCE_MS;
  while (performance.now() < ends) {
    const rows = await handlers.journal(journalQuery.parse({ lane }));
    const items = await handlers.outbox(itemQuery.parse({ lane }));
    const isHeard = rows.some(({ key, body }) => `${key} ${body}`.includes(sign));
    const isOpen = rows.some(({ state }) => state === "open");
    const isSending = items.some(({ status }) => status === "pending" || status === "sending");
    if (isHeard && !isOpen && !isSending) return;
    await setTimeout(LOOK_MS);
  }
}
