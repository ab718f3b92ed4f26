import type { AnswerHindrance } from "./outcome/hindrances.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import type { Answers, Requests } from "../../runtime/control/contract.ts";

/** Reads the journal. */
export interface JournalReader {
  journal(query: Requests["journal"]): Promise<Answers["journal"]>;
}

/** What traces are made from: what a bot has kept, and its rules. Nothing here changes anything. */
export interface TraceNeeds extends JournalReader {
  outbox(query: Requests["outbox"]): Promise<Answers["outbox"]>;
  escalations(query: Requests["escalations"]): Promise<Answers["escalations"]>;
  /** The rules that decide now. */
  readonly ruleset: () => Ruleset;
  /** Handle of an account of the bot, without `@`, where it is known. */
  readonly usernameOf?: (account: string) => string | undefined;
  /** Milliseconds since the epoch, by the platform's clock. Absent where it is not known. */
  readonly now?: () => number;
  /** Conditions of the bot that stop answers. Absent where they are not known. */
  readonly hindrances?: readonly AnswerHindrance[];
}
