import { UsageError } from "../../errors.ts";
import { conversationWith } from "../../insight/traces/find-event.ts";
import type { Answers } from "../../runtime/vocabulary.ts";
import type { JournalReader } from "../../insight/traces/needs.ts";

/**
 * Returns the user id of a bot account.
 *
 * @param account Handle in any case, with or without `@`, or user id. The id of an account that was unlinked is accepted,
 *   because its data remains.
 * @param handles Handles of the linked accounts by user id, without `@`.
 * @throws {UsageError} for a handle that no linked account has.
 */
export function accountId(account: string, handles: Readonly<Record<string, string>>): string {
  if (Object.hasOwn(handles, account)) return account;
  const handle = account.replace(/^@/, "").toLowerCase();
  const [id] =
    Object.entries(handles).find(([, username]) => username.toLowerCase() === handle) ?? [];
  if (id !== undefined) return id;
  if (/^\d+$/.test(account)) return account;
  throw new UsageError(`no account ${account} is linked`, {
    hint: "list them with: answerback status; name an account that was unlinked by its user id",
  });
}

/** Returns the handles in a bot's status by user id, without `@`. */
export function handlesOf({
  accounts,
}: Pick<Answers["status"], "accounts">): Readonly<Record<string, string>> {
  return Object.fromEntries(accounts.map(({ id, username }) => [id, username]));
}

/**
 * Refuses the handle of a person from whom the bot has received nothing: otherwise a misspelled handle would look like a
 * person for whom there is nothing to list or do.
 *
 * @param person Handle with or without `@`, user id, or `group:` and an id. Only handles are checked.
 * @throws {UsageError} if the journal has no event of the person.
 */
export async function refuseStranger(stored: JournalReader, person: string): Promise<void> {
  if (/^(?:\d+|group:.*)$/.test(person)) return;
  await conversationWith(stored, person);
}
