import type { Answers } from "../../../runtime/vocabulary.ts";
import { shell } from "../../../text/shell.ts";

type Status = Answers["status"];

/** Stage of an answer: the event is received, rules decide on the event, the answer is sent. */
export type AnswerStage = "receiving" | "deciding" | "sending";

/** Condition that keeps the bot from answering, with the step that ends it. */
export interface AnswerHindrance {
  /** Stages of an answer that the condition stops. */
  readonly stages: readonly AnswerStage[];
  /** User id of the account that can't answer. Absent: all accounts. */
  readonly account?: string;
  /** Clause without a full stop: `@hello_bot is paused since …`. */
  readonly reason: string;
  /** Step that ends the condition, with its command: `let it go on: answerback resume`. */
  readonly repair: string;
}

const ALL: readonly AnswerStage[] = ["receiving", "deciding", "sending"];

/** Returns the hindrance that the bot is not running. @param start Command that starts the bot. */
export function notRunning(start: string): AnswerHindrance {
  return { stages: ALL, reason: "the bot does not run", repair: `start it: ${start}` };
}

/** Lists the conditions that keep a running bot from answering, from its status; the gravest first. Pure. */
export function hindrancesOf(status: Status): readonly AnswerHindrance[] {
  return [
    ...missingParts(status),
    ...pauses(status),
    ...otherInstances(status),
    ...accounts(status),
    ...link(status),
  ];
}

/** Returns the first hindrance that stops a stage for an account; undefined if there is none. */
export function hindranceAt(
  hindrances: readonly AnswerHindrance[],
  stage: AnswerStage,
  account: string,
): AnswerHindrance | undefined {
  return hindrances.find(
    (one) => one.stages.includes(stage) && (one.account ?? account) === account,
  );
}

/** Stages that stop while a part of the runtime is not ready, by part. */
const STAGES_OF_PARTS: ReadonlyMap<string, readonly AnswerStage[]> = new Map([
  ["store", ALL],
  ["platform", ALL],
  ["accounts", ["receiving", "sending"]],
  ["outbox", ["sending"]],
  ["webhook", ["receiving"]],
  ["polling", ["receiving"]],
]);

function missingParts({ missing, accounts: all }: Status): readonly AnswerHindrance[] {
  return missing.flatMap(({ part, reason: text }) => {
    const stages = STAGES_OF_PARTS.get(part);
    // problems of an account or of the webhook are reported by other functions, with more detail
    if (stages === undefined || part === "accounts" || part === "webhook") return [];
    const [reason = text, fix] = text.split("; fix: ");
    const repair = fix === undefined ? repairOfPart(part) : repairBy(fix);
    const account = all.find(({ username }) => reason.startsWith(`@${username} `))?.id;
    return [{ stages, ...(account !== undefined && { account }), reason, repair }];
  });
}

function repairOfPart(part: string): string {
  return part === "store"
    ? "make room on its disk, or see what else it lacks: answerback doctor"
    : "it is tried again by itself; see answerback doctor";
}

/** Returns the command that repairs a part, with its effect if known. */
function repairBy(fix: string): string {
  return fix.startsWith("answerback login") ? `log it in again: ${fix}` : fix;
}

function pauses({ paused }: Status): readonly AnswerHindrance[] {
  return paused.map(({ account, username, since }) => {
    const who = account === undefined ? "the bot" : `@${username ?? account}`;
    const command =
      account === undefined
        ? "answerback resume"
        : shell`answerback resume --account ${username ?? account}`;
    return {
      stages: ["deciding", "sending"],
      ...(account !== undefined && { account }),
      reason: `${who} is paused since ${withoutMs(since)}`,
      repair: `let it go on: ${command}`,
    };
  });
}

function otherInstances({ otherInstances: others = [] }: Status): readonly AnswerHindrance[] {
  return others
    .filter(({ holdsBack }) => holdsBack)
    .map(({ account, username = account, reason }) => ({
      stages: ["deciding", "sending"],
      account,
      reason: `another instance answers for @${username}: ${reason}`,
      repair: "stop one of the two, then: answerback resume",
    }));
}

/** Returns the hindrances of accounts that are revoked, or whose subscription the platform refuses. */
function accounts(status: Status): readonly AnswerHindrance[] {
  return status.accounts.flatMap(({ id, username, subscribed, reason, fix }): AnswerHindrance[] => {
    if (fix !== undefined) {
      const stages: readonly AnswerStage[] = ["receiving", "sending"];
      const why = `@${username} is revoked: ${reason ?? "the platform refuses it"}`;
      return [{ stages, account: id, reason: why, repair: repairBy(fix) }];
    }
    if (subscribed || reason === undefined) return [];
    const why = `@${username} is not subscribed: ${reason}`;
    return [{ stages: ["receiving"], account: id, reason: why, repair: "see answerback doctor" }];
  });
}

function link({ webhook, missing }: Status): readonly AnswerHindrance[] {
  const stages: readonly AnswerStage[] = ["receiving"];
  const trouble =
    missing.find(({ part }) => part === "webhook")?.reason ??
    (webhook.trouble === undefined ? undefined : `deliveries may not come: ${webhook.trouble}`);
  const lost =
    trouble === undefined ? [] : [{ stages, reason: trouble, repair: "see answerback doctor" }];
  if (!webhook.shedding) return lost;
  const reason = "deliveries are turned away, since too many events wait to be decided";
  const repair = "the platform sends them again; see answerback status";
  return [...lost, { stages, reason, repair }];
}

function withoutMs(iso: string): string {
  return iso.replace(/\.\d+Z$/, "Z");
}
