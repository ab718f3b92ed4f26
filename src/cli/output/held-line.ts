import type { RuntimeStatus } from "../../runtime/control/status-schema.ts";
import { counted } from "../../text/counted.ts";
import { shell } from "../../text/shell.ts";

/** Line of `status` about the pause of an account, or of all accounts. */
export function pausedLine({ account, username, since }: RuntimeStatus["paused"][number]): string {
  const whose = account === undefined ? "all accounts" : `@${username ?? account}`;
  return `${whose} since ${since}: events are kept, nothing is answered; answerback resume`;
}

/** Line of `status` about answers to a person that are held back. */
export function heldLine(held: RuntimeStatus["held"][number]): string {
  const { person, username, items, reason } = held;
  const whom = username === undefined ? person : `@${username}`;
  const answers = counted(items, "answer");
  return `${answers} to ${whom}: ${reason}; ${shell`answerback resume --person ${username ?? person}`}`;
}
