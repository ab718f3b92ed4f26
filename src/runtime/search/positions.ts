import * as z from "zod";
import type { Store } from "../store/store.ts";

const position = z.object({
  /** Time of the first use of the query, in milliseconds since the epoch; earlier posts are ignored. */
  from: z.number(),
  /** Id and time of the newest found post that is in the journal; absent before a search has found a post. */
  newest: z.object({ id: z.string(), at: z.number() }).exactOptional(),
  /** Time of the last search that stored this position; absent in positions of older versions. */
  readAt: z.number().exactOptional(),
});

/** Progress of a query: its posts up to `newest` are in the journal. */
export type SearchPosition = z.infer<typeof position>;

/** Methods of the store that save and load the positions. */
export type PositionMemory = Pick<Store, "getMeta" | "setMeta">;

/** Name of the store's value that holds all positions. */
const POSITIONS = "search-positions";

/** Positions of all queries (how far each has been read), by account and query. */
export class SearchPositions {
  readonly #memory: PositionMemory;
  #positions: ReadonlyMap<string, SearchPosition> | undefined;

  constructor(memory: PositionMemory) {
    this.#memory = memory;
  }

  /**
   * Loads the positions, adds one that starts at `now` for each new query, and deletes the positions of other queries.
   * Resolves once the changes are on disk.
   *
   * @param names Names from {@link positionName}.
   */
  async open(names: ReadonlySet<string>, now: number): Promise<void> {
    const stored = (this.#positions ??= await this.#load());
    const fresh = [...names].filter((name) => !stored.has(name));
    const isUnused = (name: string): boolean => !names.has(name);
    if (fresh.length === 0 && ![...stored.keys()].some(isUnused)) return;
    const all = new Map([...stored].filter(([name]) => !isUnused(name)));
    for (const name of fresh) all.set(name, { from: now });
    await this.#save(all);
  }

  /** Returns a position that `open` has loaded. */
  get(name: string): SearchPosition | undefined {
    return this.#positions?.get(name);
  }

  /** Stores new positions of queries whose posts up to these positions are in the journal. */
  async move(moved: ReadonlyMap<string, SearchPosition>): Promise<void> {
    if (moved.size === 0) return;
    await this.#save(new Map([...(this.#positions ?? []), ...moved]));
  }

  async #load(): Promise<Map<string, SearchPosition>> {
    const text = await this.#memory.getMeta(POSITIONS);
    const stored = text === undefined ? {} : z.record(z.string(), position).parse(JSON.parse(text));
    return new Map(Object.entries(stored));
  }

  /** Stores positions, then uses them. If the write fails, the previous positions stay in use. */
  async #save(all: ReadonlyMap<string, SearchPosition>): Promise<void> {
    await this.#memory.setMeta(POSITIONS, JSON.stringify(Object.fromEntries(all)));
    this.#positions = all;
  }
}

/** Returns the name of the position of an account's query. */
export function positionName(account: string, query: string): string {
  return `${account} ${query}`;
}

/** Age in milliseconds from which a position is stored again with the current time, even if no post was found. */
const POSITION_AGE_MS = 60 * 60_000;

/** Whether a position is so old that a search at `now` has to store it again. */
export function isStale({ readAt = 0 }: SearchPosition, now: number): boolean {
  return now - readAt >= POSITION_AGE_MS;
}
