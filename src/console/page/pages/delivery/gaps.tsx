import type { QuestionAnswers } from "../../../operations/operations.ts";
import { CLOCK_MARGIN_MS } from "../../../../runtime/records.ts";
import { REPLAY_TO_MIN_AGE_MS } from "../../../../protocol/limits.ts";
import { Chip } from "../../parts/chip.tsx";
import { Empty } from "../../parts/states.tsx";
import { duration } from "../../parts/duration.ts";
import { Time } from "../../parts/time.tsx";
import type { OpenGap } from "./cells.ts";
import { isOpenJob } from "./jobs.tsx";
import { askForReplay } from "./replay-form.tsx";
import { replayable, shortTime } from "./stretch.ts";

type Job = QuestionAnswers["replays"]["replays"][number];

interface GapsProps {
  readonly gaps: readonly OpenGap[];
  readonly jobs: readonly Job[];
  readonly now: number;
  readonly mayChange: boolean;
  /** Reason why this app can't request replays; undefined if it can, or if this is unknown. */
  readonly noReplay: string | undefined;
  readonly onAsked: () => void;
}

/** Lists the open gaps, each with the state of its recovery. */
export function Gaps({ gaps, jobs, now, mayChange, noReplay, onAsked }: GapsProps) {
  if (gaps.length === 0) return <Empty>Nothing is missing: no gap is open.</Empty>;
  return (
    <ul class="delivery-gaps">
      {gaps.map((gap) => {
        const open = jobs.find((job) => isOpenJob(job) && job.from < gap.to && job.to > gap.from);
        const part = replayable(gap, now);
        const from = gap.to + REPLAY_TO_MIN_AGE_MS + CLOCK_MARGIN_MS;
        return (
          <li key={gap.from} class="card row">
            <Chip tone={gap.readBack ? "info" : "bad"}>{gap.readBack ? "read back" : "gap"}</Chip>
            <span>
              <strong>
                <Time at={gap.from} withDate /> to <Time at={gap.to} />
              </strong>
              , {duration(gap.to - gap.from)} of {gap.accounts.map((name) => `@${name}`).join(", ")}
              {gap.readBack && ": messages and mentions have been read back, the rest has not"}
            </span>
            {open !== undefined ? (
              <Chip tone="info">
                a replay of it is {open.state === "running" ? "in progress" : open.state}
              </Chip>
            ) : noReplay !== undefined ? (
              <span class="soft">{noReplay}</span>
            ) : part === undefined ? (
              <span class="soft">
                {from > now
                  ? `Too recent: it can be replayed from ${shortTime(from)} on.`
                  : "Over 24 hours old: the platform no longer replays it."}
              </span>
            ) : (
              <button
                type="button"
                class="go"
                disabled={!mayChange}
                onClick={() => void askForReplay(part).then(onAsked)}
              >
                Recover gap
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
