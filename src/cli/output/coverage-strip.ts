import type { Answers } from "../../runtime/vocabulary.ts";
import { durationText } from "../../text/duration-text.ts";
import type { Io } from "../io.ts";
import { padded } from "./terminal-text.ts";
import { visible } from "../../text/unseen.ts";

type Coverage = Answers["coverage"];
type CoveredSpan = Coverage["accounts"][number]["spans"][number];
type State = CoveredSpan["state"];

/** States of coverage, best first. Each character of the strip stands for a period and shows the worst state in it. */
const STATES: readonly { readonly state: State; readonly signs: string; readonly means: string }[] =
  [
    { state: "none", signs: "  ", means: "not linked yet" },
    { state: "delivered", signs: "█#", means: "delivered" },
    { state: "replayed", signs: "▓=", means: "replayed" },
    { state: "compared", signs: "▅+", means: "messages and mentions proven, the rest not yet" },
    { state: "unproven", signs: "▂_", means: "not proven yet" },
    { state: "backfilled", signs: "▒-", means: "messages and mentions only" },
    { state: "too-recent", signs: "~~", means: "missed, too recent to replay yet" },
    { state: "missing", signs: "??", means: "missed, being caught up" },
    { state: "lost", signs: "xx", means: "lost" },
  ];

const MINUTE_MS = 60_000;
/** Minutes that one character of the strip may cover; `WIDEST_STEP` if no other fits the width. */
const STEPS = [15, 20, 30, 60, 120, 240, 480] as const;
const WIDEST_STEP = 1_440;
const WIDTH_OF_A_FILE = 110;

/**
 * Draws one line per account, with one character for at least 15 minutes, a legend, and a list of incomplete times.
 *
 * @param look `ascii`: without block characters. `width`: columns of the terminal.
 */
export function coverageStrips(
  { from, to, accounts }: Coverage,
  look: { readonly ascii: boolean; readonly width: number | undefined },
): string {
  const names = accounts.map(({ username }) => `@${username}`);
  const margin = Math.max(0, ...names.map((name) => name.length)) + 2;
  const room = (look.width ?? WIDTH_OF_A_FILE) - margin;
  // The strip starts at a multiple of the step (at 10:00 for 10:07), so it may need one more character.
  const length = (ms: number): number => Math.ceil(to / ms) - Math.floor(from / ms);
  const step = STEPS.find((minutes) => length(minutes * MINUTE_MS) <= room) ?? WIDEST_STEP;
  const cell = step * MINUTE_MS;
  const begin = Math.floor(from / cell) * cell;
  const sign = (state: State): string => {
    const signs = STATES.find((one) => one.state === state)?.signs ?? "??";
    return signs.charAt(look.ascii ? 1 : 0);
  };
  const lines = accounts.map(({ spans }, at) => {
    let strip = "";
    for (let start = begin; start < to; start += cell) strip += sign(worstIn(spans, start, cell));
    return `${padded(names[at] ?? "", margin)}${strip}`;
  });
  const used = new Set(accounts.flatMap(({ spans }) => spans.map(stateOf)));
  const legend = STATES.filter(({ state }) => used.has(state) && state !== "none");
  const head = `${timeText(begin)} to ${timeText(to)}, one character for ${durationText(cell)}`;
  const key = legend.map(({ state, means }) => `${sign(state)} ${means}`).join("   ");
  const blocks = [[head], lines, key === "" ? [] : [key, ...notWhole(accounts)]];
  return blocks
    .filter((block) => block.length > 0)
    .map((block) => block.map((line) => `${line}\n`).join(""))
    .join("\n");
}

function worstIn(spans: readonly CoveredSpan[], start: number, cell: number): State {
  const rank = (state: State): number => STATES.findIndex((one) => one.state === state);
  return spans
    .filter(({ from, to }) => from < start + cell && to > start)
    .map(stateOf)
    .reduce<State>((worst, state) => (rank(state) > rank(worst) ? state : worst), "none");
}

/**
 * Returns the state to draw. A period whose messages and mentions were read back from the platform is `backfilled`,
 * even if its other events are missing.
 */
function stateOf({ state, readBack }: CoveredSpan): State {
  return readBack === true ? "backfilled" : state;
}

/** Lists the times with missing events, with the reason. */
function notWhole(accounts: Coverage["accounts"]): readonly string[] {
  const whole: readonly State[] = ["none", "delivered", "replayed", "compared", "unproven"];
  const lines = accounts.flatMap(({ username, spans }) =>
    spans
      .filter(({ state }) => !whole.includes(state))
      .map(({ from, to, state, reason, readBack }) => {
        const stretch = `${timeText(from)} to ${timeText(to)} (${durationText(to - from)})`;
        const means =
          readBack === true
            ? "messages and mentions read back, the rest is still to be replayed"
            : (STATES.find((one) => one.state === state)?.means ?? state);
        return `@${username}  ${stretch}  ${means}${reason === undefined ? "" : `; ${visible(reason)}`}`;
      }),
  );
  return lines.length === 0 ? [] : ["", ...lines];
}

function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16)}Z`;
}

/** Whether the locale's environment variables select Unicode, or none of them is set; empty ones count as unset. */
export function showsBlocks(env: Io["env"]): boolean {
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((one) => (one ?? "") !== "");
  return locale === undefined || /utf-?8/i.test(locale);
}
