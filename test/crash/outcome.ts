import type { DatabasePoint } from "./database/points.ts";
import type { BugName } from "./planted.ts";
import type { PointName } from "./points.ts";
import type { Program } from "./program.ts";
import type { Fault } from "./verify.ts";

/** Engine of the bot's store. */
export type Engine = "sqlite" | "postgres";

/** A place in the bot, or on its way to the database. */
export type AnyPoint = PointName | DatabasePoint;

/** How one bot is killed, again and again. */
export interface CampaignOptions {
  readonly program: Program;
  readonly seed: number;
  readonly engine: Engine;
  /** Points at which it is to be killed, one kill each. */
  readonly points: readonly AnyPoint[];
  /** Kills at random moments. */
  readonly kills: number;
  readonly bug?: BugName | undefined;
  readonly withModule: boolean;
  /** Ends the campaign with the first fault. */
  readonly untilFault?: boolean;
  readonly say: (line: string) => void;
}

/** Result of a campaign. */
export interface Outcome {
  readonly kills: number;
  /** How often the bot, or its database, was killed at each point. */
  readonly points: Readonly<Partial<Record<AnyPoint, number>>>;
  /** Points that no pass has reached. */
  readonly missed: readonly AnyPoint[];
  readonly acknowledged: number;
  readonly answered: number;
  readonly faults: readonly PlacedFault[];
}

/** A fault, and after which kills it was seen. */
export interface PlacedFault extends Fault {
  readonly after: readonly string[];
  readonly story: readonly string[];
}
