import { campaign } from "./campaign.ts";
import { DATABASE_POINTS } from "./database/points.ts";
import type { AnyPoint, Engine, Outcome } from "./outcome.ts";
import type { BugName } from "./planted.ts";
import { isPoint, POINTS } from "./points.ts";
import type { Program } from "./program.ts";

export interface CrashOptions {
  readonly program: Program;
  /** Number of kills at random moments, in addition to one at each point. */
  readonly kills: number;
  /** Number of bots that are killed concurrently, each on a sandbox of its own. */
  readonly bots: number;
  readonly seed: number;
  /** Store engine: SQLite in a folder, or PostgreSQL with a server for each bot. */
  readonly engine: Engine;
  readonly points?: readonly AnyPoint[];
  readonly bug?: BugName;
  readonly untilFault?: boolean;
  readonly say: (line: string) => void;
}

/** Runs several bots side by side, and kills them at all points and at `kills` random moments. */
export async function crash(options: CrashOptions): Promise<Outcome> {
  const { bots, kills, seed, say } = options;
  const points = options.points ?? pointsOf(options.engine);
  const withModule = points.filter(needsModule);
  const others = points.filter((point) => !needsModule(point));
  const shares = Array.from({ length: bots }, (_, n) => ({
    ...options,
    seed: seed + n,
    withModule: n === 0,
    points: [...shareOf(others, n, bots), ...(n === 0 ? withModule : [])],
    kills: shareOf(Array.from({ length: kills }), n, bots).length,
    say: (line: string) => say(`bot ${n + 1}: ${line}`),
  }));
  return merged(await Promise.all(shares.map(campaign)));
}

/** Returns all points that a bot with this store passes. */
export function pointsOf(engine: Engine): readonly AnyPoint[] {
  const inside = Object.keys(POINTS).filter(isPoint);
  return engine === "sqlite" ? inside : [...inside, ...DATABASE_POINTS.keys()];
}

/**
 * Whether a point is reached only with a bot module. The first bot has a module; the other bots start faster without
 * one.
 */
function needsModule(point: AnyPoint): boolean {
  return point.startsWith("effect") || point === "left-ready:after";
}

/** Number of points for the first bot, relative to another bot. The first starts slowly, because it loads a module. */
const SHARE_OF_FIRST = 0.6;

/** Returns the n-th bot's part of the list. Neighbouring points stay together, as they may depend on each other. */
function shareOf<T>(all: readonly T[], n: number, of: number): readonly T[] {
  const shares = SHARE_OF_FIRST + of - 1;
  const before = (bots: number): number =>
    bots === 0 ? 0 : Math.round((all.length * (SHARE_OF_FIRST + bots - 1)) / shares);
  return all.slice(before(n), before(n + 1));
}

function merged(outcomes: readonly Outcome[]): Outcome {
  const sum = (pick: (one: Outcome) => number): number =>
    outcomes.reduce((total, one) => total + pick(one), 0);
  return {
    kills: sum(({ kills }) => kills),
    points: Object.assign({}, ...outcomes.map(({ points }) => points)),
    missed: outcomes.flatMap(({ missed }) => missed),
    acknowledged: sum(({ acknowledged }) => acknowledged),
    answered: sum(({ answered }) => answered),
    faults: outcomes.flatMap(({ faults }) => faults),
  };
}
