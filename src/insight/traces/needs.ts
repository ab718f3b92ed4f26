import type { AnswerHindrance } from "./outcome/hindrances.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import type { Answers, Requests } from "../../runtime/vocabulary.ts";

/** Lists entries of the journal, newest first, as the control interface returns them. */
export interface JournalReader {
  journal(query: Requests["journal"]): Promise<Answers["journal"]>;
}

/** Sources of traces: a bot's stored records, and its rules. All are read-only. */
export interface TraceNeeds extends JournalReader {
  outbox(query: Requests["outbox"]): Promise<Answers["outbox"]>;
  escalations(query: Requests["escalations"]): Promise<Answers["escalations"]>;
  /** Returns the rules that the bot currently uses. */
  readonly ruleset: () => Ruleset;
  /** Returns the handle of an account of the bot, without `@`; undefined if unknown. */
  readonly usernameOf?: (account: string) => string | undefined;
  /** Returns the current time by the platform's clock, in milliseconds since the epoch. Absent: unknown. */
  readonly now?: () => number;
  /** Conditions that keep the bot from answering, such as a pause. Absent: unknown. */
  readonly hindrances?: readonly AnswerHindrance[];
}

/** Maximum number of hand-overs that one query reads: the limit of the control interface. */
export const MAX_HANDOVERS = 1_000;

/**
 * Returns the latest hand-overs of an account, each of which may silence the whole account, and all of one
 * conversation, including older ones.
 */
export async function handOversNear(
  needs: Pick<TraceNeeds, "escalations">,
  { account, lane }: { readonly account: string; readonly lane: string },
): Promise<Answers["escalations"]> {
  const latest = await needs.escalations({ account, limit: MAX_HANDOVERS });
  const oldest = latest.at(MAX_HANDOVERS - 1);
  if (oldest === undefined) return latest;
  const person = lane.slice(account.length + 1);
  const inLane = await needs.escalations({
    account,
    person,
    before: oldest.id,
    limit: MAX_HANDOVERS,
  });
  return [...latest, ...inLane];
}
