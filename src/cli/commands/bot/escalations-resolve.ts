import { withSameSettings } from "../../output/same-settings.ts";
import { Command } from "commander";
import { UsageError } from "../../../errors.ts";
import type { Answers, Requests } from "../../../runtime/vocabulary.ts";
import { counted } from "../../../text/counted.ts";
import { positiveInteger } from "../../arguments/numbers.ts";
import { type CommonFlags, withCommonFlags, wholeHandle } from "../../arguments/settings-flags.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { formatTime } from "../../output/format-time.ts";
import { visible } from "../../../text/unseen.ts";
import { shell } from "../../../text/shell.ts";

interface ResolveFlags extends CommonFlags {
  readonly person?: string;
  readonly account?: string;
}

type Resolved = Extract<Answers["resolveEscalation"], { done: true }>;

/** `escalations resolve`: ends a hand-over to a person. Rules and bots that it silenced then answer again. */
export function resolveEscalations(io: Io): Command {
  const command = withCommonFlags(new Command("resolve"), "print JSON")
    .description("mark a hand-over as resolved; rules and bots then answer the person again")
    .argument("[id]", "id of the hand-over, from escalations list", positiveInteger)
    .option(
      "--person <user>",
      "all open hand-overs of this person, by handle or user id",
      wholeHandle,
    )
    .option(
      "--account <handle>",
      "with --person: only hand-overs of this bot account, by handle or user id",
      wholeHandle,
    );
  const examples = [
    'answerback escalations resolve "$ESCALATION_ID"',
    "answerback escalations resolve --person @ana",
  ];
  return withExamples(command, examples).action(
    async (id: number | undefined, flags: ResolveFlags) => {
      const { person } = flags;
      if ((id === undefined) === (person === undefined)) {
        throw new UsageError("name either one hand-over or a person", {
          hint: "as in: answerback escalations resolve 12, or: answerback escalations resolve --person @ana",
        });
      }
      const resolved =
        id === undefined ? await ofPerson(io, flags) : [await resolveOne(io, flags, id)];
      if (flags.json === true) {
        for (const one of resolved) io.out(`${JSON.stringify(one)}\n`);
        return;
      }
      if (resolved.length === 0) io.out(`${visible(person ?? "")} has no open hand-over.\n`);
      else tell(io, resolved, flags);
    },
  );
}

async function resolveOne(io: Io, flags: CommonFlags, id: number): Promise<Resolved> {
  const { askRunning } = await import("../../target/ask-running.ts");
  const answer = await askRunning(io, flags, "resolveEscalation", { id });
  if (!answer.done) throw new UsageError(answer.reason, { hint: answer.hint });
  return answer;
}

/** Maximum number of escalations in one page of the list. */
const PAGE = 1_000;

/** Refuses a handle that has passed from one person to another. */
function refuseSeveral(person: string, open: Answers["escalations"]): void {
  const people = new Set(open.map(({ lane }) => lane.slice(lane.indexOf("/") + 1)));
  if (people.size < 2) return;
  throw new UsageError(`several people have had the handle ${person}: ${[...people].join(", ")}`, {
    hint: "name one by user id, with --person ID",
  });
}

/** Resolves all open hand-overs of a person, newest first. */
async function ofPerson(
  io: Io,
  { person = "", account, ...flags }: ResolveFlags,
): Promise<readonly Resolved[]> {
  const { askRunning } = await import("../../target/ask-running.ts");
  const { accountId, handlesOf, refuseStranger } = await import("../../target/named.ts");
  const resolved: Resolved[] = [];
  const query = {
    person,
    limit: PAGE,
    ...(account !== undefined && {
      account: accountId(account, handlesOf(await askRunning(io, flags, "status", {}))),
    }),
  };
  for (;;) {
    const open = await askRunning(io, flags, "escalations", { ...query, state: "open" });
    refuseSeveral(person, open);
    for (const { id } of open) resolved.push(await resolveOne(io, flags, id));
    if (open.length === PAGE) continue;
    if (resolved.length > 0) return resolved;
    const [earlier] = await askRunning(io, flags, "escalations", { person, limit: 1 });
    const journal = (page: Requests["journal"]) => askRunning(io, flags, "journal", page);
    if (earlier === undefined) await refuseStranger({ journal }, person);
    return resolved;
  }
}

function tell(io: Io, all: readonly Resolved[], flags: ResolveFlags): void {
  const ids = new Set(all.map(({ escalation }) => escalation.id));
  const silentBy = new Set(all.flatMap((one) => one.silentBy ?? []).filter((id) => !ids.has(id)));
  const [next] = silentBy;
  if (next !== undefined) {
    const still = `rules and bots are still silent by escalation ${[...silentBy].join(", ")}`;
    const command = withSameSettings(shell`answerback escalations resolve ${next}`, flags);
    const then = `when that is done: ${command}`;
    io.out(`${whatWasDone(all)}; ${still}; ${then}\n`);
  } else if (all.some(endsSilence)) {
    io.out(`${whatWasDone(all)}; rules and bots answer again.\n`);
    io.err("Messages from the time of the hand-over stay unanswered.\n");
  } else io.out(`${whatWasDone(all)}.\n`);
}

function whatWasDone(all: readonly Resolved[]): string {
  const [first] = all;
  if (all.length > 1) return `Resolved ${counted(all.length, "escalation")}`;
  return first?.changed === false
    ? `It was resolved already, at ${formatTime(first.escalation.resolvedAt)}`
    : "Resolved";
}

/** Whether the hand-over silenced rules and bots until it was resolved. */
function endsSilence({ changed, escalation: { silences, resolvedAt = 0 } }: Resolved): boolean {
  return changed && silences !== undefined && (silences.until ?? Infinity) > resolvedAt;
}
