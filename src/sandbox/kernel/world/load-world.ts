import { readdir, rm, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import * as z from "zod";
import { isMissingFile } from "../../../system/files/missing-file.ts";
import { ApiError } from "../http/api-error.ts";
import type { Platform } from "../platform.ts";
import { type StoredValues, facts, type JournalHead, journalHead } from "./fact-journal.ts";
import { readFacts } from "./fact-file.ts";
import { readHeader } from "./sandbox-world.ts";
import type { StoredWorld } from "./world-file.ts";

/** Fields stored with the header of a saved world: number of the journal that continues it, settings and faults. */
export const storedBeside = z.looseObject({
  journal: z.int().min(1).default(1),
  /** Whether a clean shutdown saved the world. No journal file continues such a world. */
  closed: z.boolean().optional(),
  settings: z.unknown().optional(),
  faults: z.unknown().optional(),
});

/** Journal file and position at which later changes of a loaded world are appended. */
export interface LoadedWorld {
  /** Number of the newest journal file; part of its name. */
  readonly journal: number;
  /** Number of the oldest journal file that continues the saved world. */
  readonly oldest: number;
  /** Number of bytes up to the journal's last complete line; 0 if the file must be created. */
  readonly bytes: number;
  readonly base: JournalHead["base"];
  /** Size of the saved world, in bytes. */
  readonly savedBytes: number;
}

/** Returns the path of a journal, beside the saved world. */
export function journalFile(file: string, number: number): string {
  return `${file}.journal.${number}`;
}

/**
 * Restores a saved world, then applies its journals.
 *
 * @throws {Error} naming file and line if a part is missing or damaged: a world is never restored in part.
 */
export async function loadWorld(
  platform: Platform,
  file: string,
  stored: StoredWorld | null,
): Promise<LoadedWorld> {
  const saved = stored === null ? undefined : await loadSaved(platform, file, stored);
  const numbers = await journalNumbers(file);
  const first = saved?.journal ?? numbers[0] ?? 1;
  await Promise.all(
    numbers.filter((n) => n < first).map((n) => rm(journalFile(file, n), { force: true })),
  );
  if (saved !== undefined && saved.closed !== true && !numbers.includes(first) && saved.isNew) {
    throw new Error(
      `${journalFile(file, first)} is missing, and with it what happened after ${file} was saved; ` +
        `put it back, or move the world away to start afresh`,
    );
  }
  const loading = new JournalLoading(platform, file, saved === undefined);
  let number = first;
  let bytes = 0;
  for (let next = first; numbers.includes(next); next += 1) {
    const end = await loading.apply(next, saved?.journal === next);
    if (end === undefined) {
      await Promise.all(
        numbers.filter((n) => n >= next).map((n) => rm(journalFile(file, n), { force: true })),
      );
      break;
    }
    number = next;
    bytes = end;
  }
  platform.resumeValues({ ...saved?.asides, ...loading.asides });
  const base = saved === undefined && number === first ? "nothing" : "before";
  return { journal: number, oldest: first, bytes, base, savedBytes: await sizeOf(file) };
}

interface SavedPart {
  readonly journal: number;
  readonly closed: boolean | undefined;
  /** Whether the header has `journal`. Worlds saved by older versions lack it and have no journal file. */
  readonly isNew: boolean;
  readonly asides: StoredValues;
}

async function loadSaved(
  platform: Platform,
  file: string,
  { header, rows }: StoredWorld,
): Promise<SavedPart> {
  try {
    const restore = platform.beginLoad();
    for await (const [table, row] of rows) restore.add(table, row);
    const beside = storedBeside.safeParse(header);
    const { journal = 1, closed, settings, faults, ...rest } = beside.data ?? {};
    restore.commit(beside.success ? rest : header);
    const isNew = typeof header === "object" && header !== null && "journal" in header;
    return { journal, closed, isNew, asides: { settings, faults } };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const message = `${file} is not a saved sandbox world: ${error.message}; move the file away to start afresh`;
    throw new Error(message, { cause: error });
  }
}

/** Applies the journals that continue a saved world, one by one in the order of their numbers. */
class JournalLoading {
  readonly #platform: Platform;
  readonly #file: string;
  #isEmpty: boolean;
  asides: StoredValues = {};

  /** @param isEmpty Whether there is no saved world, so that the first journal must start from an empty world. */
  constructor(platform: Platform, file: string, isEmpty: boolean) {
    this.#platform = platform;
    this.#file = file;
    this.#isEmpty = isEmpty;
  }

  /**
   * Applies a journal.
   *
   * @param isNamed Whether the saved world's header has the journal's number.
   * @returns the number of valid bytes; `undefined` if the journal continues a replacement world that was never saved.
   */
  async apply(number: number, isNamed: boolean): Promise<number | undefined> {
    const file = journalFile(this.#file, number);
    let holds = 0;
    for await (const { number: line, value, end } of readFacts(file)) {
      try {
        if (line > 1) this.#applyFacts(value);
        else if (!this.#begin(value, isNamed)) return undefined;
      } catch (error) {
        if (!(error instanceof ApiError) && !(error instanceof z.ZodError)) throw error;
        const what = error instanceof ApiError ? error.message : z.prettifyError(error);
        throw new Error(
          `${file}:${line} is not of a sandbox world's journal: ${what}; move it and the world away to start afresh`,
          { cause: error },
        );
      }
      holds = end;
    }
    return holds;
  }

  /**
   * Applies the first line of a journal. Returns false if the journal continues a replacement world whose save did not
   * finish.
   */
  #begin(value: unknown, isNamed: boolean): boolean {
    const { journal: _, base, ...header } = journalHead.parse(value);
    if (base === "replaced" && !isNamed) return false;
    if (this.#isEmpty && base !== "nothing") {
      const message = `it goes on from ${this.#file}, which is missing`;
      throw ApiError.control(400, "invalid_state", message);
    }
    if (base === "nothing") this.#platform.beginLoad().commit(readHeader(header));
    this.#isEmpty = false;
    return true;
  }

  #applyFacts(value: unknown): void {
    const { world } = this.#platform;
    for (const [table, row, key] of facts.parse(value)) {
      if (table === "") this.asides = { ...this.asides, ...row };
      else if (row === null) world.unloadRow(table, key ?? "");
      else world.loadRow(table, row);
    }
  }
}

/** Returns the numbers of the journals beside a saved world, in ascending order. */
export async function journalNumbers(file: string): Promise<number[]> {
  const start = `${basename(file)}.journal.`;
  const names = await readdir(dirname(file));
  return names
    .filter((name) => name.startsWith(start) && /^\d{1,9}$/.test(name.slice(start.length)))
    .map((name) => Number(name.slice(start.length)))
    .sort((a, b) => a - b);
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (isMissingFile(error)) return 0;
    throw error;
  }
}
