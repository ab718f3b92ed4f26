import type { DatabasePoint } from "./database/points.ts";
import type { BugName } from "./planted.ts";
import type { PointName } from "./points.ts";
import type { Program } from "./program.ts";
import type { Fault } from "./verify.ts";

/** Engine of the bot's store: SQLite or PostgreSQL. */
export type Engine = "sqlite" | "postgres";

/** Name of a point at which a process is killed: in the bot, or during a statement of the bot's database. */
export type AnyPoint = PointName | DatabasePoint;

/** Settings of a campaign, in which one bot is killed repeatedly. */
export interface CampaignOptions {
  readonly program: Program;
  readonly seed: number;
  readonly engine: Engine;
  /** Points at which the bot is killed, once each. */
  readonly points: readonly AnyPoint[];
  /** Number of kills at random moments. */
  readonly kills: number;
  readonly bug?: BugName | undefined;
  readonly withModule: boolean;
  /** Whether to end the campaign with the first fault. */
  readonly untilFault?: boolean;
  readonly say: (line: string) => void;
}

/** Result of a campaign. */
export interface Outcome {
  readonly kills: number;
  /** Number of kills at each point, of the bot or its database server. */
  readonly points: Readonly<Partial<Record<AnyPoint, number>>>;
  /** Points that the bot or database never reached, so that nothing was killed there. */
  readonly missed: readonly AnyPoint[];
  readonly acknowledged: number;
  readonly answered: number;
  readonly faults: readonly PlacedFault[];
}

/** A fault, and the kills that preceded its discovery. */
export interface PlacedFault extends Fault {
  readonly after: readonly string[];
  readonly story: readonly string[];
}
