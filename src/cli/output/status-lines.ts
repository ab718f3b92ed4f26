import type { RuntimeStatus } from "../../runtime/vocabulary.ts";
import { counted } from "../../text/counted.ts";
import { shell } from "../../text/shell.ts";

/** Line of `status` about missed events that the bot is catching up on; undefined if there are none. */
export function catchupLine(catchup: RuntimeStatus["catchup"]): string | undefined {
  const { gaps, since, replay, noReplay } = catchup;
  const parts = [
    ...(since === undefined ? [] : [`${counted(gaps, "gap")} open, the oldest since ${since}`]),
    ...(replay === undefined
      ? []
      : [
          replay.state === "running"
            ? `replay of ${replay.from} to ${replay.to} under way`
            : `replay of ${replay.from} to ${replay.to} is asked for again: ${replay.reason}`,
        ]),
    ...(noReplay === undefined ? [] : [`no replay: ${noReplay}`]),
  ];
  return parts.length === 0 ? undefined : parts.join("; ");
}

/** Line of `status` about the pause of an account, or of all accounts. */
export function pausedLine({ account, username, since }: RuntimeStatus["paused"][number]): string {
  const one = username ?? account;
  const whose = one === undefined ? "all accounts" : `@${one}`;
  const command =
    one === undefined ? "answerback resume" : shell`answerback resume --account ${one}`;
  return `${whose} since ${since}: events are kept, nothing is answered; ${command}`;
}

/** Line about an account in which an escalation silences all conversations. */
export function silencedLine({
  username,
  escalation,
  until = "it is resolved",
}: NonNullable<RuntimeStatus["silenced"]>[number]): string {
  const command = shell`answerback escalations resolve ${escalation}`;
  return `@${username}, for everybody until ${until}, by escalation ${escalation}; ${command}`;
}

/** Line of `status` about answers to a person that are held back. */
export function heldLine(held: RuntimeStatus["held"][number]): string {
  const { person, username, items, reason } = held;
  const whom = username === undefined ? person : `@${username}`;
  const answers = counted(items, "answer");
  return `${answers} to ${whom}: ${reason}; ${shell`answerback resume --person ${username ?? person}`}`;
}

type Other = NonNullable<RuntimeStatus["otherInstances"]>[number];

/** Line of `status` about another Answerback instance that answers for the same account. */
export function otherInstanceLine({ account, username, reason, holdsBack }: Other): string {
  const whose = `@${username ?? account}`;
  const fix = `stop one of the two${holdsBack ? ", then: answerback resume" : ""}`;
  const here = holdsBack ? "; this instance sends nothing for the account" : "";
  return `another instance answers for ${whose}: ${reason}${here}; ${fix}`;
}

/** Clock differences in milliseconds below this value are not shown, because they are harmless and fluctuate. */
const CLOCK_TOLD_MS = 1_000;

/** Line of `status` about a process that shares a store with others: `worker-2, worker, 32 partitions`. */
export function processLine(one: RuntimeStatus["processes"][number]): string {
  const { name, role, leads, partitions, isLeaving, clockAheadMs = 0 } = one;
  const parts = [name, role === "all" ? "receiver and worker" : role];
  if (leads) parts.push("leads");
  if (role !== "receiver") parts.push(`${partitions.length} partitions`);
  if (isLeaving) parts.push("is ending");
  if (Math.abs(clockAheadMs) >= CLOCK_TOLD_MS) {
    const seconds = Math.round(Math.abs(clockAheadMs) / 1_000);
    parts.push(`its clock is ${seconds} s ${clockAheadMs > 0 ? "ahead" : "behind"}`);
  }
  return parts.join(", ");
}
