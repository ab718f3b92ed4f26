import { randomUUID } from "node:crypto";
import * as z from "zod";
import { IdSequence } from "./ids.ts";
import { Random } from "./random.ts";
import { ApiError } from "../http/api-error.ts";
import { WorldRestore } from "./world-restore.ts";
import type { AnyTable, TableOwner } from "./table.ts";

/** What a world keeps besides its rows. */
const header = z.strictObject({
  version: z.literal(1),
  world_id: z.string().min(1),
  seed: z.string().min(1),
  drawn: z.int().min(0),
  high_water: z.string().regex(/^\d{1,19}$/),
  clock: z.strictObject({ now: z.iso.datetime(), frozen: z.boolean(), offset_ms: z.number() }),
});

export type WorldHeader = z.infer<typeof header>;

/** A whole world as JSON: compact facts, one list of rows a table. */
export interface SavedWorld extends WorldHeader {
  readonly tables: Readonly<Record<string, readonly object[]>>;
}

export interface WorldOptions {
  readonly tables: readonly AnyTable[];
  readonly seed: string;
  readonly now: () => number;
  /** Stores an id high-water mark durably; see {@link IdSequence}. */
  readonly storeHighWaterMark: (mark: string) => void;
  /** The mark found at start, "0" for a new world. */
  readonly highWaterMark: string;
}

/** Everything the platform knows: rows in tables, an id counter and reproducible randomness. */
export class SandboxWorld implements TableOwner {
  readonly #options: WorldOptions;
  readonly #listeners: (() => void)[] = [];
  worldId: string;
  seed: string;
  ids: IdSequence;
  random: Random;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.seed = options.seed;
    this.random = new Random(options.seed);
    this.worldId = randomUUID();
    this.ids = new IdSequence(options.now, options.highWaterMark, options.storeHighWaterMark);
    for (const table of options.tables) table.attach(this);
  }

  /** Calls `listener` after every change of a row. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  rowsChanged(): void {
    for (const listener of this.#listeners) listener();
  }

  /** An empty world with its own id; ids go on rising from where they were. */
  reset(seed: string): void {
    for (const table of this.#options.tables) table.clear(this);
    this.seed = seed;
    this.random = new Random(seed);
    this.worldId = randomUUID();
    this.rowsChanged();
  }

  /** Lists of the current rows: rows are never changed in place, so that the lists stay as they are. */
  save(clock: WorldHeader["clock"]): SavedWorld {
    return {
      version: 1,
      world_id: this.worldId,
      seed: this.seed,
      drawn: this.random.drawn,
      high_water: this.ids.last,
      clock,
      tables: Object.fromEntries(
        this.#options.tables.map((table) => [table.name, table.dump(this)]),
      ),
    };
  }

  /**
   * Begins to replace everything by a saved world; nothing changes before the commit.
   *
   * @param applied Called with the header once all is in place.
   */
  beginRestore(applied: (header: WorldHeader) => void): WorldRestore {
    return new WorldRestore(this, this.#options.tables, (given) => {
      const result = header.safeParse(given);
      if (!result.success) {
        const issue = result.error.issues[0];
        throw ApiError.control(400, "invalid_state", `${issue?.path.join(".")}: ${issue?.message}`);
      }
      return () => {
        this.#applyHeader(result.data);
        applied(result.data);
      };
    });
  }

  #applyHeader(head: WorldHeader): void {
    this.worldId = head.world_id;
    this.seed = head.seed;
    this.ids.skipPast(head.high_water);
    // A kill may have lost draws: the high-water mark makes a stream that cannot repeat them.
    this.random = new Random(`${head.seed}/${this.ids.last}`, head.drawn);
    this.rowsChanged();
  }
}
