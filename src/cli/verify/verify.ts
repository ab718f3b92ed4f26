import type { AccountEvent } from "../../events/event.ts";
import { readBack } from "../../runtime/delivery.ts";
import type { Answers, Clock, Requests } from "../../runtime/vocabulary.ts";
import type { CommonFlags } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";
import { platformTime } from "../target/platform-time.ts";
import { type Stored, withStored } from "../target/stored.ts";
import { connected } from "../target/target.ts";
import { compare, type Compared, type Disagreement } from "./compare.ts";

/** Numbers of compared events and answers, and the differences. */
export interface Verified {
  readonly differences: readonly Disagreement[];
  readonly events: number;
  readonly answers: number;
  /** Reasons why messages or mentions of an account could not be read. */
  readonly refused: readonly string[];
}

const HOUR_MS = 60 * 60_000;
/**
 * Events are also read from this many milliseconds before the compared period, because they may be answered within it.
 */
const BEFORE_MS = HOUR_MS;
const PAGE = 1_000;

/** Compares the journal and the outbox of the last hours with the platform. */
export async function verify(io: Io, flags: CommonFlags, hours: number): Promise<Verified> {
  return connected(io, flags, async (target) => {
    const { folder, accounts, settings } = target;
    const to = await platformTime(folder);
    const from = to - hours * HOUR_MS;
    const served = accounts.filter(
      ({ username, revoked }) =>
        revoked === undefined && (settings.accounts.length === 0 || isNamed(settings, username)),
    );
    const offset = to - Date.now();
    const clock: Clock = { now: () => Date.now() + offset, onJump: () => () => {} };
    const shown: AccountEvent[] = [];
    const refused: string[] = [];
    const read = new Set<string>();
    for (const { id, username, linkedAt } of served) {
      const { client } = await target.as(username);
      const readBackResult = await readBack(
        { account: id, from: Math.max(from, linkedAt), to },
        {
          clientOf: () => client,
          append: async () => 0,
          onFound: async (events) => void shown.push(...events),
          clock,
          onHeldUp: () =>
            io.err(
              "Reading from the platform is delayed (rate limit or no connection); waiting.\n",
            ),
          signal: io.signal,
        },
      );
      const faults = Object.entries(readBackResult?.refused ?? {});
      refused.push(...faults.map(([what, why]) => `${what} of @${username}: ${why}`));
      if (readBackResult !== undefined && !("messages" in readBackResult.refused)) read.add(id);
    }
    // Stored data is read after the platform, so that events that arrive meanwhile do not appear as differences.
    const stored = await withStored(io, flags, (all) => lately(all, from - BEFORE_MS));
    const comparison: Compared = { ...stored, shown, read, from, to };
    const { length: events } = stored.rows.filter(({ at }) => at >= from);
    const { length: answers } = stored.items;
    return { differences: compare(comparison), events, answers, refused };
  });
}

function isNamed(
  { accounts }: { readonly accounts: readonly string[] },
  username: string,
): boolean {
  return accounts.some((handle) => handle.toLowerCase() === username.toLowerCase());
}

/** Events since a time, their outbox items, and the platform ids of all answers sent since then. */
async function lately(
  stored: Stored,
  from: number,
): Promise<Pick<Compared, "rows" | "items" | "sentIds">> {
  const rows: Answers["journal"][number][] = [];
  for (let before: number | undefined; ;) {
    const page = await stored.journal({ limit: PAGE, ...(before !== undefined && { before }) });
    rows.push(...page.filter(({ arrivedAt }) => arrivedAt >= from));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE || last.arrivedAt < from) break;
    before = last.seq;
  }
  const seqFrom = rows.at(-1)?.seq;
  const items = seqFrom === undefined ? [] : await outboxItems(stored, { seqFrom }, () => true);
  const isLate = ({ settledAt = 0 }: OutboxRow): boolean => settledAt >= from;
  const sent = await outboxItems(stored, { status: "sent" }, isLate);
  const sentIds = new Set([...items, ...sent].flatMap(({ platformId }) => platformId ?? []));
  return { rows, items, sentIds };
}

type OutboxRow = Answers["outbox"][number];

/** Reads outbox items, newest first, up to the first page on which no item is wanted. */
async function outboxItems(
  stored: Stored,
  query: Pick<Requests["outbox"], "seqFrom" | "status">,
  isWanted: (item: OutboxRow) => boolean,
): Promise<readonly OutboxRow[]> {
  const items: OutboxRow[] = [];
  for (let before: number | undefined; ;) {
    const page = await stored.outbox({
      ...query,
      limit: PAGE,
      ...(before !== undefined && { before }),
    });
    items.push(...page.filter(isWanted));
    before = page.at(-1)?.id;
    if (page.length < PAGE || !page.some(isWanted)) return items;
  }
}
