import { randomUUID } from "node:crypto";
import * as z from "zod";
import { Ids } from "./ids.ts";
import { Random } from "./random.ts";
import { Refusal } from "./refusal.ts";
import { Restoration } from "./restoration.ts";
import type { AnyTable } from "./table.ts";

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
  /** Stores an id mark durably; see {@link Ids}. */
  readonly reserve: (mark: string) => void;
  /** The mark found at start, "0" when there is none. */
  readonly mark: string;
}

/** Everything the platform knows: rows in tables, an id counter and reproducible randomness. */
export class World {
  readonly #options: WorldOptions;
  readonly #listeners: (() => void)[] = [];
  worldId: string;
  seed: string;
  ids: Ids;
  random: Random;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.seed = options.seed;
    this.random = new Random(options.seed);
    this.worldId = randomUUID();
    this.ids = new Ids(options.now, options.mark, options.reserve);
    for (const table of options.tables) table.attach(this);
  }

  /** Calls `listener` after every change of a row. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Told by tables. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** An empty world with its own id; ids go on rising from where they were. */
  reset(seed: string): void {
    for (const table of this.#options.tables) table.clear(this);
    this.seed = seed;
    this.random = new Random(seed);
    this.worldId = randomUUID();
    this.changed();
  }

  /** Lists of the rows as they stand: rows are never changed in place, so that they stay what they were. */
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
   * @param adopted Told of the header once all is in place.
   */
  restoring(adopted: (header: WorldHeader) => void): Restoration {
    return new Restoration(this, this.#options.tables, (given) => {
      const result = header.safeParse(given);
      if (!result.success) {
        const issue = result.error.issues[0];
        throw Refusal.control(400, "invalid_state", `${issue?.path.join(".")}: ${issue?.message}`);
      }
      return () => {
        this.#adopt(result.data);
        adopted(result.data);
      };
    });
  }

  #adopt(head: WorldHeader): void {
    this.worldId = head.world_id;
    this.seed = head.seed;
    this.ids.passOver(head.high_water);
    // A kill may have lost draws: the id mark makes a stream that cannot repeat them.
    this.random = new Random(`${head.seed}/${this.ids.last}`, head.drawn);
    this.changed();
  }
}
