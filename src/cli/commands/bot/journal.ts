import { isAnswerable } from "../../../events/kinds/answer-by-hand.ts";
import { withSameSettings } from "../../output/same-settings.ts";
import { Command } from "commander";
import { trunkOf } from "../../../runtime/runs.ts";
import type { Answers } from "../../../runtime/vocabulary.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import type { Stored } from "../../target/stored.ts";
import { positiveInteger, upTo } from "../../arguments/numbers.ts";
import { printList } from "../../output/print.ts";
import { formatTime } from "../../output/format-time.ts";
import { type CommonFlags, withCommonFlags, wholeHandle } from "../../arguments/settings-flags.ts";

interface JournalFlags extends CommonFlags {
  readonly account?: string;
  readonly person?: string;
  readonly late?: true;
  readonly before?: number;
  readonly limit: number;
}

type Entry = Answers["journal"][number];

/** `journal`: lists received events and the runs that they started. */
export function journal(io: Io): Command {
  const command = withCommonFlags(new Command("journal"))
    .description("list received events and their outcomes, newest first")
    .option("--account <handle>", "only events of this bot account, by handle or id", wholeHandle)
    .option("--person <user>", "only the latest conversation of this handle or id", wholeHandle)
    .option(
      "--late",
      "only events that arrived late: by a replay, or by catching up after an outage",
    )
    .option("--before <seq>", "only events before this sequence number", positiveInteger)
    .option("--limit <number>", "number of results, 1000 at most", upTo(1_000), 20);
  const examples = [
    "answerback journal",
    "answerback journal --person @ana",
    "answerback journal --limit 1 --json",
  ];
  return withExamples(command, examples).action(async (flags: JournalFlags) => {
    const { withStored } = await import("../../target/stored.ts");
    const { tellClock } = await import("../../target/platform-time.ts");
    const { namesIn, personOf } = await import("../../output/people.ts");
    const { readableEvent } = await import("../../../insight/traces/find-event.ts");
    const { eventText } = await import("../../../insight/words/event.ts");
    const { conversationWith } = await import("../../../insight/traces/find-event.ts");
    const { accountId } = await import("../../target/named.ts");
    const { account, person } = flags;
    const { rows, storedCount, byHand } = await withStored(io, flags, async (stored) => {
      const rows = await rowsOf(stored, {
        ...flags,
        ...(account !== undefined && {
          account: accountId(account, await stored.accountHandles()),
        }),
        ...(person === undefined ? {} : { lane: await conversationWith(stored, person) }),
      });
      const byHand = flags.json === true ? new Map<number, string>() : await byHandIn(rows, stored);
      return { rows, byHand, storedCount: (await stored.counts()).journal };
    });
    const names = namesIn(rows);
    const events = new Map(rows.map((row) => [row.seq, readableEvent(row)]));
    const textOf = ({ seq }: Entry): string | undefined => {
      const event = events.get(seq);
      return event && eventText(event);
    };
    if (rows.length > 0) await tellClock(io, flags);
    printList(
      io,
      flags.json,
      rows,
      [
        { title: "SEQ", of: ({ seq }) => seq },
        { title: "ARRIVED", of: ({ arrivedAt }) => formatTime(arrivedAt) },
        { title: "KIND", of: ({ seq, kind }) => events.get(seq)?.triggers[0] ?? kind },
        { title: "PERSON", of: ({ lane }) => personOf(lane, names) },
        { title: "FROM", of: ({ source }) => source },
        { title: "OUTCOME", of: (row) => byHand.get(row.seq) ?? outcomeOf(row) },
        { title: "TEXT", of: textOf },
      ],
      nothing(flags, storedCount),
    );
  });
}

/** Maximum number of journal entries to search for `--late`: entries of events that arrived late. */
const MAX_SEARCHED_ENTRIES = 20_000;
const PAGE = 1_000;

/** Journal entries selected by the flags. */
async function rowsOf(
  stored: Pick<Stored, "journal">,
  { limit, before: from, account, lane, late }: JournalFlags & { readonly lane?: string },
): Promise<Entry[]> {
  const { isLate } = await import("../../../runtime/runs.ts");
  const rows: Entry[] = [];
  const size = late === true ? PAGE : limit;
  const journalFilter = {
    ...(account !== undefined && { account }),
    ...(lane !== undefined && { lane }),
  };
  for (let before = from, looked = 0; looked < MAX_SEARCHED_ENTRIES; looked += size) {
    const page = { ...journalFilter, limit: size, ...(before !== undefined && { before }) };
    const pageRows = await stored.journal(page);
    rows.push(...pageRows.filter((row) => late !== true || isLate(row)));
    before = pageRows.at(-1)?.seq;
    if (pageRows.length < size || rows.length >= limit) break;
  }
  return rows.slice(0, limit);
}

/** Texts such as `answered by hand by ana`, by the journal number of the answered event or of the answer. */
async function byHandIn(
  rows: readonly Entry[],
  stored: Pick<Stored, "outbox">,
): Promise<ReadonlyMap<number, string>> {
  const { readableEvent } = await import("../../../insight/traces/find-event.ts");
  const { writtenByHand } = await import("../../../insight/traces/outcome/by-hand-outcome.ts");
  const { operatorOf } = await import("../../../runtime/records.ts");
  const textsBySeq = new Map<number, string>();
  const lanes = new Map<string, Awaited<ReturnType<typeof writtenByHand>>>();
  for (const row of rows) {
    const event = readableEvent(row);
    if (event?.kind === "answer_by_hand") textsBySeq.set(row.seq, `by hand by ${event.answer.by}`);
    if (row.state === "open" || row.runs.length > 0 || !isAnswerable(event)) continue;
    const { lane, account } = row;
    const items = lanes.get(lane) ?? (await writtenByHand(stored, { account, lane, seq: 0 }));
    lanes.set(lane, items);
    const sent = items.find(({ seq, status }) => seq > row.seq && status === "sent");
    const operator = sent && operatorOf(sent);
    if (operator !== undefined) textsBySeq.set(row.seq, `answered by hand by ${operator}`);
  }
  return textsBySeq;
}

/** Message for an empty list, such as `No events of account 404; 5 kept in all: answerback journal`. */
function nothing(flags: JournalFlags, storedCount: number): string {
  const { account, before, late } = flags;
  if (storedCount === 0) return "No event has been received.";
  const whose = account === undefined ? "" : ` of account ${account}`;
  const when = before === undefined ? "" : ` before ${before}`;
  const which = late === true ? " that came late" : "";
  return `No events${which}${whose}${when}; ${storedCount} kept in all: ${withSameSettings("answerback journal", flags)}`;
}

function outcomeOf({ state, runs, decision = "{}" }: Entry): string {
  if (state === "open") return "to decide";
  const storedDecision: {
    readonly reason?: string;
    readonly error?: string;
    readonly takenBy?: string;
    readonly refused?: object;
  } = JSON.parse(decision);
  if (state === "dead-lettered")
    return `failed: ${storedDecision.error ?? storedDecision.reason ?? "see the log"}`;
  const fits = storedDecision.refused === undefined ? "answer to" : "refused as an answer to";
  const answerTexts =
    storedDecision.takenBy === undefined ? [] : [`${fits} ${storedDecision.takenBy}`];
  const ran = [...answerTexts, ...runs.filter(isWhole).map(describeRun)];
  return ran.length > 0 ? ran.join(", ") : (storedDecision.reason ?? "nothing ran");
}

/** Whether a run is a main run. Branches are shown as part of their main run. */
function isWhole({ id }: Pick<Entry["runs"][number], "id">): boolean {
  return trunkOf(id) === undefined;
}

function describeRun({ owner, status }: Entry["runs"][number]): string {
  return status === "done" ? owner : `${owner} (${status})`;
}
