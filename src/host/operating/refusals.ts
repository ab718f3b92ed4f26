import { MESSAGE_LENGTH } from "../../actions/parts.ts";
import { POST_LENGTH } from "../../protocol/limits.ts";
import { weightedLength } from "../../protocol/public-text/length.ts";
import type { Posting } from "../../protocol/public-text/posting.ts";
import { shell } from "../../text/shell.ts";
import { loginCommand } from "../../runtime/accounts/account-alarm.ts";
import type { LinkedAccount } from "../../runtime/accounts/linked-account.ts";
import type { Answers } from "../../runtime/control/contract.ts";
import type { Pausing } from "../answering/pausing.ts";
import type { OptOut } from "../../runtime/runs/restraints/opt-out-words.ts";

/** Reason why an operator's answer is not accepted, with advice. */
export type AnswerRefusal = Extract<Answers["answerByHand"], { readonly done: false }>;

/** Creates the result for an operator's answer that is refused. */
export function refusal(reason: string, hint: string): AnswerRefusal {
  return { done: false, reason, hint };
}

/** Returns the refusal of a text that is too long to be sent; undefined if it fits. */
export function textRefusal(
  text: string,
  as: "reply_dm" | "reply_post",
  { longform }: Pick<Posting, "longform">,
): AnswerRefusal | undefined {
  if (as === "reply_dm") {
    return text.length <= MESSAGE_LENGTH
      ? undefined
      : refusal(
          `the text has ${text.length} characters (limit of a message ${MESSAGE_LENGTH})`,
          "shorten it, or send it as several answers",
        );
  }
  const length = weightedLength(text);
  if (longform || length <= POST_LENGTH) return undefined;
  return refusal(
    `the post is ${length} weighted characters (limit ${POST_LENGTH})`,
    "shorten it, or send it as several answers",
  );
}

/** Returns the refusal of an account that sends nothing now; undefined if it sends. */
export function accountRefusal(
  { id, username, revoked }: Pick<LinkedAccount, "id" | "username" | "revoked">,
  { isPaused, list }: Pick<Pausing, "isPaused" | "list">,
): AnswerRefusal | undefined {
  if (revoked !== undefined) {
    return refusal(`@${username} can send nothing: ${revoked}`, `fix: ${loginCommand(username)}`);
  }
  if (!isPaused(id)) return undefined;
  const isAll = list().some(({ account }) => account === undefined);
  return refusal(
    `@${username} is paused, and nothing is sent meanwhile`,
    `go on first: ${isAll ? "answerback resume" : shell`answerback resume --account ${username}`}`,
  );
}

/** Returns the refusal for a person who has opted out. */
export function optedOutRefusal(name: string, { back }: Pick<OptOut, "back">): AnswerRefusal {
  const [word] = back;
  const how = word === undefined ? "" : `, by writing ${JSON.stringify(word)}`;
  return refusal(
    `${name} has opted out, and nothing is sent to them`,
    `they have to take it back themselves${how} (opt_out.back in the settings)`,
  );
}

/** Returns the refusal for a conversation in which the person or the account (`by`) has blocked the other. */
export function blockedRefusal(
  by: "person" | "account",
  names: { readonly person: string; readonly account: string },
): AnswerRefusal {
  const { person, account } = names;
  return by === "person"
    ? refusal(`${person} has blocked ${account}`, "only they can lift it; reach them elsewhere")
    : refusal(`${account} has blocked ${person}`, `unblock ${person} on the platform first`);
}
