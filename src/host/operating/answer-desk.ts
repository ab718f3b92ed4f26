import { groupOf } from "../../events/conversation.ts";
import { answerByHandBody, answerByHandKey } from "../../events/kinds/answer-by-hand.ts";
import type { Posting } from "../../protocol/public-text/posting.ts";
import { optOutKey } from "../../rules/user-state.ts";
import type { LinkedAccount } from "../../runtime/accounts/linked-account.ts";
import type { ServedAccounts } from "../../runtime/accounts/served-accounts.ts";
import type { Clock } from "../../runtime/clock/clock.ts";
import type { Answers, CheckedRequests } from "../../runtime/control/contract.ts";
import type { AnswerOperations } from "../../runtime/control/handlers.ts";
import type { Log } from "../../runtime/log.ts";
import type { Pausing } from "../answering/pausing.ts";
import type { WorldConfirmation } from "../../runtime/platform/confirm-world.ts";
import type { OptOut } from "../../runtime/runs/restraints/opt-out-words.ts";
import { eventOf } from "../../runtime/runs/entry-event.ts";
import type { Append } from "../../runtime/source.ts";
import type { Entry } from "../../runtime/store/entry.ts";
import type { Store } from "../../runtime/store/store.ts";
import { type AnsweredEvent, answerable, blockIn, latestOf } from "./answered-event.ts";
import {
  accountRefusal,
  type AnswerRefusal,
  blockedRefusal,
  optedOutRefusal,
  refusal,
  textRefusal,
} from "./refusals.ts";
import { isNamed } from "../../text/handle.ts";

/** Parts of the runtime that accepting an operator's answer needs. */
export interface AnswerDeskNeeds {
  readonly store: Pick<Store, "journal" | "load" | "silences">;
  /** Appends the answer to the journal. */
  readonly append: Append;
  readonly accounts: Pick<ServedAccounts, "list" | "find">;
  readonly pausing: Pick<Pausing, "isPaused" | "list">;
  readonly world: Pick<WorldConfirmation, "isConfirmed">;
  readonly optOut: OptOut | undefined;
  readonly posting: Pick<Posting, "longform">;
  readonly clock: Clock;
  readonly log: Log;
}

type Request = CheckedRequests["answerByHand"];
type Answer = Answers["answerByHand"];

/**
 * Accepts answers that operators write by hand. An accepted answer is an entry of the journal, so it survives a
 * restart, and its key keeps a repeated request from sending it twice.
 */
export function answerDesk(needs: AnswerDeskNeeds): AnswerOperations {
  return {
    async answer(request) {
      const { text, key } = request;
      if (text.trim() === "")
        return refusal("the text is empty", "write what the person is to read");
      const item = await stored(needs, { key: answerByHandKey(key) });
      if (item !== undefined) return accepted(needs, item, false);
      if (!needs.world.isConfirmed()) {
        return refusal(
          "the platform has not answered since the bot has started",
          "try again later",
        );
      }
      const target = await answeredBy(needs, request);
      if ("done" in target) return target;
      const { account } = target;
      return (
        (await whyNot(needs, target, text)) ?? keep(needs, { account, ...target.answered }, request)
      );
    },
  };
}

interface FoundAnswered {
  readonly account: LinkedAccount;
  readonly answered: AnsweredEvent;
}

/** Finds the answered event, and the account that received it. */
async function answeredBy(
  { store, accounts }: AnswerDeskNeeds,
  { person, account, answers }: Request,
): Promise<FoundAnswered | AnswerRefusal> {
  const served = accounts.list().filter((one) => account === undefined || isNamed(one, account));
  if (served.length === 0) {
    const which = account === undefined ? "no account" : `no account ${account}`;
    return refusal(`${which} is linked`, "list them with: answerback status");
  }
  const ids = served.map(({ id }) => id);
  const answered =
    answers === undefined
      ? await latestOf(store, person ?? "", ids)
      : await numbered(store, answers, person);
  if (answered === undefined) {
    return refusal(
      `the bot has received nothing from ${person ?? ""} that can be answered`,
      "see from whom it has: answerback journal",
    );
  }
  if ("done" in answered) return answered;
  const own = served.find(({ id }) => id === answered.row.account);
  if (own !== undefined) return { account: own, answered };
  return refusal(
    `event ${answered.row.seq} is of another account`,
    "list them with: answerback status",
  );
}

/** Returns the event with the journal number `seq`. If `person` is set, the event has to be from that person. */
async function numbered(
  store: AnswerDeskNeeds["store"],
  seq: number,
  person: string | undefined,
): Promise<AnsweredEvent | AnswerRefusal> {
  const [row] = await store.journal({ seq, limit: 1 });
  const hint = "list them with: answerback journal";
  if (row === undefined) return refusal(`the journal has no event ${seq}`, hint);
  const answered = answerable(row);
  if (answered === undefined) {
    return refusal(`event ${seq} is no message or post of another person`, hint);
  }
  if (person !== undefined && !isNamed(answered.event.sender, person)) {
    return refusal(`event ${seq} is not of ${person}`, hint);
  }
  return answered;
}

/** Returns the refusal if the answer can't be sent to the person; undefined if it can. */
async function whyNot(
  needs: AnswerDeskNeeds,
  { account, answered: { row, event } }: FoundAnswered,
  text: string,
): Promise<AnswerRefusal | undefined> {
  const { store, optOut } = needs;
  const { id, username } = event.sender;
  const name = username === undefined ? id : `@${username}`;
  const unsent =
    accountRefusal(account, needs.pausing) ??
    textRefusal(text, event.kind === "post" ? "reply_post" : "reply_dm", needs.posting);
  if (unsent !== undefined) return unsent;
  const key = optOutKey(account.id, id);
  if (optOut !== undefined && (await store.load([key])).has(key)) {
    return optedOutRefusal(name, optOut);
  }
  const block = await blockIn(store, account.id, row.lane);
  return block && blockedRefusal(block, { person: name, account: `@${account.username}` });
}

async function keep(
  needs: AnswerDeskNeeds,
  { account, row, event }: AnsweredEvent & { readonly account: LinkedAccount },
  { text, by, key }: Request,
): Promise<Answer> {
  const { id, username } = event.sender;
  const conversation = groupOf(event);
  const body = answerByHandBody(account.id, {
    key,
    at: needs.clock.now(),
    to: id,
    ...(conversation !== undefined && { conversation }),
    ...(username !== undefined && { username }),
    text,
    by,
    answers: row.seq,
    ...(event.kind === "post" && { inReplyTo: event.post.id }),
  });
  const fresh = await needs.append(body, JSON.stringify(body));
  const entry = await stored(needs, { account: account.id, key: answerByHandKey(key) });
  if (entry === undefined) {
    return refusal(
      "an earlier answer had this key, and is not stored any more",
      "draw another key",
    );
  }
  if (fresh > 0) {
    const { seq, lane } = entry;
    needs.log.info({ event: seq, lane, by, answers: row.seq }, "answered by hand");
  }
  return accepted(needs, entry, fresh > 0);
}

/** Returns the result for an accepted answer, from its journal entry. */
async function accepted(
  { store, accounts, clock }: AnswerDeskNeeds,
  entry: Entry,
  changed: boolean,
): Promise<Answer> {
  const { seq, account, lane } = entry;
  const event = eventOf(entry);
  if (event.kind !== "answer_by_hand") {
    return refusal(`event ${seq} has the key of this answer`, "draw another key");
  }
  const { to: person, username, answers, inReplyTo, by } = event.answer;
  const accountName = accounts.find(account)?.username;
  const now = clock.now();
  const silentBy = (await store.silences(lane))
    .filter(({ until = Infinity }) => until > now)
    .map(({ id }) => id);
  return {
    done: true,
    changed,
    seq,
    account,
    ...(accountName !== undefined && { accountName }),
    person,
    ...(username !== undefined && { username }),
    lane,
    answers,
    as: inReplyTo === undefined ? "reply_dm" : "reply_post",
    by,
    ...(silentBy.length > 0 && { silentBy }),
  };
}

async function stored(
  { store }: AnswerDeskNeeds,
  which: { readonly account?: string; readonly key: string },
): Promise<Entry | undefined> {
  const [entry] = await store.journal({ ...which, limit: 1 });
  return entry;
}
