/** Processes that can be killed during a statement: the bot, or the server with all its processes. */
export const VICTIMS = ["bot", "server"] as const;

/** Statements that make changes durable: the end of a transaction, or the insertion of a delivery. */
export const KEEPING = ["commit", "append"] as const;

/** Progress of a {@link KEEPING} statement. */
export const STAGES = {
  unsent: "the database was not told to keep it",
  "under-way": "it was told, and did not answer yet",
  unanswered: "it has answered, and the bot does not know",
  answered: "the answer has left for the bot",
} as const;

export type Victim = (typeof VICTIMS)[number];
export type Keeping = (typeof KEEPING)[number];
export type Stage = keyof typeof STAGES;

/** Name of a point during a statement at which the bot or the server is killed. */
export type DatabasePoint = `${Victim}/${Keeping}:${Stage}`;

/** Parts of a {@link DatabasePoint}. */
export interface DatabaseStrike {
  readonly victim: Victim;
  readonly keeping: Keeping;
  readonly stage: Stage;
}

const STAGE_NAMES = Object.keys(STAGES).filter(isStage);

/** All database points, by name. A bot with a SQLite store does not pass them. */
export const DATABASE_POINTS: ReadonlyMap<DatabasePoint, DatabaseStrike> = new Map(
  VICTIMS.flatMap((victim) =>
    KEEPING.flatMap((keeping) =>
      STAGE_NAMES.map(
        (stage) => [`${victim}/${keeping}:${stage}` as const, { victim, keeping, stage }] as const,
      ),
    ),
  ),
);

function isStage(name: string): name is Stage {
  return Object.hasOwn(STAGES, name);
}
