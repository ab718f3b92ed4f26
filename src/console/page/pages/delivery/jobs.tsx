import { CardTable } from "../../parts/card-table.tsx";
import type { QuestionAnswers } from "../../../operations/operations.ts";
import { Chip, type Tone } from "../../parts/chip.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { counted } from "../../../../text/counted.ts";

type Job = QuestionAnswers["replays"]["replays"][number];

const SHOWN: Readonly<Record<Job["state"], { readonly tone: Tone; readonly word: string }>> = {
  queued: { tone: "idle", word: "queued" },
  running: { tone: "info", word: "in progress" },
  waiting: { tone: "warn", word: "waiting" },
  complete: { tone: "good", word: "Complete" },
  "too-old": { tone: "bad", word: "too old" },
  refused: { tone: "bad", word: "refused" },
};

const WHY: Readonly<Record<Job["by"], string>> = {
  hand: "by hand",
  gap: "for a gap",
  check: "as proof",
};

/** Returns whether a replay job is unfinished. */
export function isOpenJob({ state }: Job): boolean {
  return state === "queued" || state === "running" || state === "waiting";
}

/** Describes the counts of a job: `39 redelivered, 36 new, 3 duplicates ignored`. */
export function countsOf({
  events = 0,
  duplicates = 0,
}: Pick<Job, "events" | "duplicates">): string {
  const ignored = `${counted(duplicates, "duplicate")} ignored`;
  return `${events + duplicates} redelivered, ${events} new, ${ignored}`;
}

/** Lists the replay jobs, newest first. */
export function Jobs({ jobs }: { readonly jobs: readonly Job[] }) {
  if (jobs.length === 0) {
    return (
      <Empty>
        Nothing was replayed since the bot's start. A replay recovers each gap, and proves each
        hour.
      </Empty>
    );
  }
  return (
    <CardTable label="Replay jobs" columns={["State", "From", "To", "Requested", "Result"]}>
      {jobs.toReversed().map((job, index) => (
        <tr key={jobs.length - index}>
          <td>
            <Chip tone={SHOWN[job.state].tone}>{SHOWN[job.state].word}</Chip>
            {job.reason !== undefined && <div class="soft">{job.reason}</div>}
          </td>
          <td class="nowrap">
            <Time at={job.from} withDate />
          </td>
          <td class="nowrap">
            <Time at={job.to} />
          </td>
          <td>{WHY[job.by]}</td>
          <td class="nowrap">{isOpenJob(job) ? "" : countsOf(job)}</td>
        </tr>
      ))}
    </CardTable>
  );
}
