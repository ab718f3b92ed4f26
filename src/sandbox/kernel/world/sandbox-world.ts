import { randomUUID } from "node:crypto";
import * as z from "zod";
import { ApiError } from "../http/api-error.ts";
import { IdSequence } from "./ids.ts";
import { Random } from "./random.ts";
import { WorldRestore } from "./world-restore.ts";
import type { AnyTable, TableOwner } from "./table.ts";

/** Ten thousand years in milliseconds. Dates much farther away have no ISO form. */
const MAX_OFFSET_MS = 10_000 * 366 * 86_400_000;

const clockSchema = z.strictObject({
  now: z.iso.datetime(),
  frozen: z.boolean(),
  offset_ms: z.number().min(-MAX_OFFSET_MS).max(MAX_OFFSET_MS),
  set_backs: z
    .array(z.strictObject({ n: z.int().min(1), from: z.iso.datetime(), to: z.iso.datetime() }))
    .readonly()
    .default([]),
});

/** Header of a saved world: everything except its rows. */
const header = z.strictObject({
  version: z.literal(1),
  world_id: z.string().min(1),
  seed: z.string().min(1),
  drawn: z.int().min(0),
  high_water: z.string().regex(/^\d{1,19}$/),
  clock: clockSchema,
});

export type WorldHeader = z.infer<typeof header>;

/** A whole world as JSON, with one list of rows per table. */
export interface SavedWorld extends WorldHeader {
  readonly tables: Readonly<Record<string, readonly object[]>>;
}

export interface WorldOptions {
  readonly tables: readonly AnyTable[];
  readonly seed: string;
  readonly now: () => number;
  /** Stores an id high-water mark durably; see {@link IdSequence}. */
  readonly storeHighWaterMark: (mark: string) => void;
  /** High-water mark read at the start, "0" for a new world. */
  readonly highWaterMark: string;
}

/** Receives every change of a world. */
export interface WorldListener {
  rowPut(table: string, row: object): void;
  rowDeleted(table: string, key: string): void;
  /** Called when the whole world has been replaced. */
  replaced(): void;
}

/** All data of the platform: rows in tables, an id counter and reproducible randomness. */
export class SandboxWorld implements TableOwner {
  readonly #options: WorldOptions;
  #listener: WorldListener | undefined;
  worldId: string;
  /** Base URL of the sandbox without a slash at the end, for links to media; set once the server listens. */
  baseUrl = "";
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

  /** Calls `listener` for every later change of a row and replacement of the world. */
  follow(listener: WorldListener): void {
    this.#listener = listener;
  }

  rowPut(table: string, row: object): void {
    this.#listener?.rowPut(table, row);
  }

  rowDeleted(table: string, key: string): void {
    this.#listener?.rowDeleted(table, key);
  }

  /** Empties the world and gives it a new id; the ids of objects keep rising. */
  reset(seed: string): void {
    for (const table of this.#options.tables) table.clear(this);
    this.seed = seed;
    this.random = new Random(seed);
    this.worldId = randomUUID();
    this.#listener?.replaced();
  }

  /** Returns lists of the current rows. Rows are never changed in place, so that the lists stay valid. */
  save(clock: WorldHeader["clock"]): SavedWorld {
    return {
      ...this.header(clock),
      tables: Object.fromEntries(
        this.#options.tables.map((table) => [table.name, table.dump(this)]),
      ),
    };
  }

  /**
   * Begins to replace this world by a saved world; nothing changes before the commit.
   *
   * @param applied Called with the header once the new world is complete.
   */
  beginRestore(applied: (header: WorldHeader) => void): WorldRestore {
    return new WorldRestore(this, this.#options.tables, (rawHeader) => {
      const head = readHeader(rawHeader);
      return () => {
        this.takeHeader(head);
        this.#listener?.replaced();
        applied(head);
      };
    });
  }

  /** Returns the header, which holds everything except the rows. */
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

  /** Replaces everything except the rows by the values of a header. */
  takeHeader(head: WorldHeader): void {
    this.worldId = head.world_id;
    this.seed = head.seed;
    this.ids.skipPast(head.high_water);
    // After a crash the stored count of random draws may be too low. A new random stream starts from the highest
    // id, so that no number comes twice.
    this.random = new Random(`${head.seed}/${this.ids.last}`, head.drawn);
  }

  /** Continues the random numbers after the first `drawn` draws. */
  skipDraws(drawn: number): void {
    this.random = new Random(`${this.seed}/${this.ids.last}`, drawn);
  }

  /** Puts a saved row. @throws {ApiError} 400 that names table and key, when the row is invalid. */
  loadRow(table: string, row: unknown): void {
    const fault = this.#table(table).load(this, row);
    if (fault !== undefined) throw ApiError.control(400, "invalid_state", `${table}${fault}`);
  }

  unloadRow(table: string, key: string): void {
    this.#table(table).unload(this, key);
  }

  #table(name: string): AnyTable {
    const namedTable = this.#options.tables.find((table) => table.name === name);
    if (namedTable !== undefined) return namedTable;
    throw ApiError.control(400, "invalid_state", `tables.${name}: there is no such table`);
  }
}

/** @throws {ApiError} 400 that names the key, when the value is not the header of a world. */
export function readHeader(rawHeader: unknown): WorldHeader {
  return read(header, rawHeader);
}

/** @throws {ApiError} 400 that names the key, when the value is not the state of a clock. */
export function readClock(rawClock: unknown): WorldHeader["clock"] {
  return read(clockSchema, rawClock);
}

function read<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw ApiError.control(400, "invalid_state", `${issue?.path.join(".")}: ${issue?.message}`);
}

const ROWS_PER_PART = 500;

/** Yields a saved world as JSON text in parts, since the whole text may exceed the maximum length of a string. */
export function* jsonParts({ tables, ...header }: SavedWorld): Generator<string> {
  yield `${JSON.stringify(header).slice(0, -1)},"tables":{`;
  let before = "";
  for (const [name, rows] of Object.entries(tables)) {
    yield `${before}${JSON.stringify(name)}:[`;
    for (let at = 0; at < rows.length; at += ROWS_PER_PART) {
      const part = rows.slice(at, at + ROWS_PER_PART).map((row) => JSON.stringify(row));
      yield `${at === 0 ? "" : ","}${part.join(",")}`;
    }
    yield "]";
    before = ",";
  }
  yield "}}";
}
