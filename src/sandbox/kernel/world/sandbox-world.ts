import { randomUUID } from "node:crypto";
import * as z from "zod";
import { ApiError } from "../http/api-error.ts";
import { IdSequence } from "./ids.ts";
import { Random } from "./random.ts";
import { WorldRestore } from "./world-restore.ts";
import type { AnyTable, TableOwner } from "./table.ts";

/** Ten thousand years: farther away no date can be written for long. */
const MOST_OFFSET_MS = 10_000 * 366 * 86_400_000;

const clockSchema = z.strictObject({
  now: z.iso.datetime(),
  frozen: z.boolean(),
  offset_ms: z.number().min(-MOST_OFFSET_MS).max(MOST_OFFSET_MS),
  set_backs: z
    .array(z.strictObject({ n: z.int().min(1), from: z.iso.datetime(), to: z.iso.datetime() }))
    .readonly()
    .default([]),
});

/** What a world keeps besides its rows. */
const header = z.strictObject({
  version: z.literal(1),
  world_id: z.string().min(1),
  seed: z.string().min(1),
  drawn: z.int().min(0),
  high_water: z.string().regex(/^\d{1,19}$/),
  clock: clockSchema,
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

/** Hears of every change of a world. */
export interface WorldListener {
  rowPut(table: string, row: object): void;
  rowDeleted(table: string, key: string): void;
  /** Everything is another world's from here on. */
  replaced(): void;
}

/** Everything the platform knows: rows in tables, an id counter and reproducible randomness. */
export class SandboxWorld implements TableOwner {
  readonly #options: WorldOptions;
  #listener: WorldListener | undefined;
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

  /** Tells `listener` of every change from here on. */
  follow(listener: WorldListener): void {
    this.#listener = listener;
  }

  rowPut(table: string, row: object): void {
    this.#listener?.rowPut(table, row);
  }

  rowDeleted(table: string, key: string): void {
    this.#listener?.rowDeleted(table, key);
  }

  /** An empty world with its own id; ids go on rising from where they were. */
  reset(seed: string): void {
    for (const table of this.#options.tables) table.clear(this);
    this.seed = seed;
    this.random = new Random(seed);
    this.worldId = randomUUID();
    this.#listener?.replaced();
  }

  /** Lists of the current rows: rows are never changed in place, so that the lists stay as they are. */
  save(clock: WorldHeader["clock"]): SavedWorld {
    return {
      ...this.header(clock),
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
      const head = readHeader(given);
      return () => {
        this.takeHeader(head);
        this.#listener?.replaced();
        applied(head);
      };
    });
  }

  /** What the world is besides its rows. */
  header(clock: WorldHeader["clock"]): WorldHeader {
    return {
      version: 1,
      world_id: this.worldId,
      seed: this.seed,
      drawn: this.random.drawn,
      high_water: this.ids.last,
      clock,
    };
  }

  /** Goes on as the world that a header is of; its rows are put by themselves. */
  takeHeader(head: WorldHeader): void {
    this.worldId = head.world_id;
    this.seed = head.seed;
    this.ids.skipPast(head.high_water);
    // The last draws may not have been kept: the high-water mark makes a stream that cannot repeat them.
    this.random = new Random(`${head.seed}/${this.ids.last}`, head.drawn);
  }

  /** Goes on after the first `drawn` draws. */
  skipDraws(drawn: number): void {
    this.random = new Random(`${this.seed}/${this.ids.last}`, drawn);
  }

  /** Puts a row as it was saved. @throws {ApiError} 400 that names table and key, when it does not fit. */
  loadRow(table: string, row: unknown): void {
    const fault = this.#table(table).load(this, row);
    if (fault !== undefined) throw ApiError.control(400, "invalid_state", `${table}${fault}`);
  }

  unloadRow(table: string, key: string): void {
    this.#table(table).unload(this, key);
  }

  #table(name: string): AnyTable {
    const found = this.#options.tables.find((table) => table.name === name);
    if (found !== undefined) return found;
    throw ApiError.control(400, "invalid_state", `tables.${name}: there is no such table`);
  }
}

/** @throws {ApiError} 400 that names the key, when it is not the header of a world. */
export function readHeader(given: unknown): WorldHeader {
  return read(header, given);
}

/** @throws {ApiError} 400 that names the key, when it is not the state of a clock. */
export function readClock(given: unknown): WorldHeader["clock"] {
  return read(clockSchema, given);
}

function read<T>(schema: z.ZodType<T>, given: unknown): T {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw ApiError.control(400, "invalid_state", `${issue?.path.join(".")}: ${issue?.message}`);
}
