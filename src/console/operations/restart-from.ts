import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import type { Act, SandboxActivity } from "../../sandbox/control/objects.ts";
import { itemQuery, journalQuery } from "../../runtime/control/stored-schema.ts";
import type { ConsoleNeeds } from "../console-needs.ts";
import { operation, OperationError } from "./operation.ts";
import { controlOf } from "./sandbox-control.ts";

/** Who says it again, and how much of it was said. */
export interface Restarted {
  readonly username: string;
  readonly said: number;
}

/** As many as the sandbox keeps. */
const ALL = 1_000;
/** A handle has room for so many characters, and a number behind them. */
const LONGEST_STEM = 12;

/**
 * Has a new person say and do what somebody did up to a message, one after the other, each once the bot has answered what
 * was before: the bot knows nothing of them.
 */
export const restartFrom = operation(
  z.strictObject({ activity: z.string().min(1) }),
  async (needs, { activity }): Promise<Restarted> => {
    const control = controlOf(needs);
    const bot = needs.sandbox?.bot;
    if (bot === undefined) throw new OperationError("there is no bot to begin anew with", 404);
    const activities = await control.activities(undefined, ALL);
    const last = activities.findIndex(({ id }) => id === activity);
    const by = activities[last]?.by;
    const users = await control.users();
    const person = users.find(({ id }) => id === by);
    if (person === undefined || person.id === bot.id) {
      throw new OperationError("that message is gone, or is the bot's own", 404);
    }
    const acts = activities
      .slice(0, last + 1)
      .filter((one) => one.by === person.id)
      .flatMap((one) => actAgain(one, bot.id) ?? []);
    const username = freeHandle(person.username, new Set(users.map((one) => one.username)));
    const id = await control.user(username);
    for (const act of acts) {
      const made = await control.act(id, act);
      await answered(needs, `${bot.id}/${id}`, "text" in act ? made.id : `${act.type}:${id}>`);
    }
    return { username, said: acts.length };
  },
);

/** What is done to the bot itself. */
const RELATIONS = ["follow", "unfollow", "block", "unblock", "mute", "unmute"] as const;

/** The same deed of another person; undefined of what is about something that only the first one has. */
function actAgain(done: SandboxActivity, bot: string): Act | undefined {
  const { kind, text, to, refers_to: others = [] } = done;
  if (kind === "message" && to === bot && text !== undefined) return { type: "dm", to, text };
  if (kind === "post" && others.length === 0 && text !== undefined) return { type: "post", text };
  const type = RELATIONS.find((one) => one === kind);
  return type === undefined || to !== bot ? undefined : { type, user_id: bot };
}

/** `ana2` of `ana`, or of `ana2` the next. */
function freeHandle(username: string, taken: ReadonlySet<string>): string {
  const stem = username.replace(/\d+$/, "").slice(0, LONGEST_STEM);
  let n = 2;
  while (taken.has(`${stem}${n}`)) n += 1;
  return `${stem}${n}`;
}

/** Where nothing comes of it, as while a fault cuts deliveries, the next is said after this time. Milliseconds. */
const PATIENCE_MS = 3_000;
const LOOK_MS = 25;

/** Waits until the bot has taken in what was said or done, and has sent what it answers at once. @param sign What the event holds. */
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
