import { seeded } from "../support/seeded.ts";

/** Disturbances of a bot's day, with their number in 24 hours. */
const DISTURBANCES = {
  "bot-stopped": 4,
  "bot-killed": 4,
  "rules-changed": 3,
  "sandbox-stopped": 2,
  "sandbox-killed": 2,
  revoked: 2,
  "clock-back": 3,
  "clock-forth": 3,
  "link-lost": 2,
  "platform-faults": 4,
} as const satisfies Record<string, number>;

/** Name of a disturbance, such as `bot-stopped` or `clock-back`. */
export type DisturbanceName = keyof typeof DISTURBANCES;

/** A planned disturbance of the bot, the sandbox or the clock. */
export interface Disturbance {
  readonly name: DisturbanceName;
  /** Number of the day's time step at which the disturbance begins. */
  readonly step: number;
  /** Duration of the disturbance, or change of the clock, in steps. */
  readonly steps: number;
}

/** Plan of a day, drawn from a seed. */
export interface DayPlan {
  /** Number of steps of {@link STEP_MS} each. */
  readonly steps: number;
  readonly disturbances: readonly Disturbance[];
  /** Steps without disturbances at the start and the end of the day, whose measurements are compared. */
  readonly first: StepWindow;
  readonly last: StepWindow;
}

/** Range of steps: its first step, and the step after its last. */
export interface StepWindow {
  readonly from: number;
  readonly to: number;
}

/** Length of a step, in milliseconds of the platform's clock. */
export const STEP_MS = 5 * 60_000;
const STEPS_PER_HOUR = 12;
/** Maximum duration of a disturbance, in steps. Replays and reading back must still reach its beginning at its end. */
const MAX_STEPS: Readonly<Record<DisturbanceName, number>> = {
  "bot-stopped": 4,
  "bot-killed": 4,
  "rules-changed": 0,
  "sandbox-stopped": 0,
  "sandbox-killed": 0,
  revoked: 4,
  "clock-back": 18,
  "clock-forth": 24,
  "link-lost": 6,
  "platform-faults": 12,
};

/** Draws a day of `hours` hours: an eighth of it undisturbed at each end, and disturbances in between. */
export function dayPlan(hours: number, seed: number, only?: readonly string[]): DayPlan {
  const draw = seeded(seed);
  const steps = Math.round(hours * STEPS_PER_HOUR);
  const calm = Math.max(3, Math.round(steps / 8));
  const all = longLived(shuffled(bagFor(hours), draw), draw);
  const bag = only === undefined ? all : all.filter((name) => only.includes(name));
  const room = Math.max(1, steps - 2 * calm);
  const disturbances = bag.map((name, place): Disturbance => {
    const step = calm + Math.floor((place * room) / bag.length);
    const longest = Math.min(MAX_STEPS[name], Math.max(1, Math.floor(hours)));
    return { name, step, steps: longest === 0 ? 0 : 1 + draw(longest) };
  });
  return {
    steps,
    disturbances,
    first: { from: Math.floor(calm / 3), to: calm },
    last: { from: steps - calm + Math.floor(calm / 3), to: steps },
  };
}

/** Moves disturbances that end the bot's process into the first two thirds, so that the last process gets old. */
function longLived(
  all: readonly DisturbanceName[],
  draw: (below: number) => number,
): readonly DisturbanceName[] {
  const endsBot = (name: DisturbanceName): boolean =>
    name.startsWith("bot-") || name === "rules-changed";
  const others = all.filter((name) => !endsBot(name));
  const last = others.slice(0, Math.floor(all.length / 3));
  const first = [...all.filter(endsBot), ...others.slice(last.length)];
  return [...shuffled(first, draw), ...last];
}

/** Returns the disturbances of a day, each at least once, however short the day. */
function bagFor(hours: number): readonly DisturbanceName[] {
  const bag: DisturbanceName[] = [];
  for (const name in DISTURBANCES) {
    if (!isDisturbance(name)) continue;
    const times = Math.max(1, Math.round((DISTURBANCES[name] * hours) / 24));
    for (let n = 0; n < times; n += 1) bag.push(name);
  }
  return bag;
}

/** Whether a text is the name of a disturbance. */
export function isDisturbance(name: string): name is DisturbanceName {
  return Object.hasOwn(DISTURBANCES, name);
}

function shuffled<T>(all: readonly T[], draw: (below: number) => number): readonly T[] {
  const result = [...all];
  for (let at = result.length - 1; at > 0; at -= 1) {
    const other = draw(at + 1);
    const [one, two] = [result[at], result[other]];
    if (one === undefined || two === undefined) continue;
    [result[at], result[other]] = [two, one];
  }
  return result;
}
