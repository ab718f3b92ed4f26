import { randomUUID } from "node:crypto";
import * as z from "zod";
import { Ids } from "./ids.ts";
import { Random } from "./random.ts";
import { Refusal } from "./refusal.ts";
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

const saved = header.extend({ tables: z.record(z.string(), z.array(z.unknown())) });

/** A whole world as JSON: compact facts, one list of rows a table. */
export type SavedWorld = z.infer<typeof saved>;
export type WorldHeader = z.infer<typeof header>;

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

  save(clock: WorldHeader["clock"]): SavedWorld {
    const tables: SavedWorld["tables"] = {};
    for (const table of this.#options.tables) tables[table.name] = [...table.dump(this)];
    return {
      version: 1,
      world_id: this.worldId,
      seed: this.seed,
      drawn: this.random.drawn,
      high_water: this.ids.last,
      clock,
      tables,
    };
  }

  /**
   * Replaces everything by a saved world, or nothing at all.
   *
   * @throws {Refusal} 400, when any part of it does not fit.
   */
  restore(input: unknown): WorldHeader {
    const result = saved.safeParse(input);
    if (!result.success) {
      const issue = result.error.issues[0];
      throw Refusal.control(400, "invalid_state", `${issue?.path.join(".")}: ${issue?.message}`);
    }
    const { tables, ...head } = result.data;
    const known = new Map(this.#options.tables.map((table) => [table.name, table]));
    const unknown = Object.keys(tables).find((name) => !known.has(name));
    if (unknown !== undefined) {
      throw Refusal.control(400, "invalid_state", `tables.${unknown}: there is no such table`);
    }
    const commits = [...known.values()].map((table) => {
      const prepared = table.prepare(tables[table.name] ?? []);
      if (typeof prepared === "string") throw Refusal.control(400, "invalid_state", prepared);
      return prepared;
    });
    for (const commit of commits) commit(this);
    this.#adopt(head);
    return head;
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
