import { ApiError } from "../http/api-error.ts";
import { StringInterner } from "./string-interner.ts";
import type { AnyTable, RowImport, TableOwner } from "./table.ts";

/** A restore in progress: rows are checked one by one, and replace the world all at once or never. */
export class WorldRestore {
  readonly #world: TableOwner;
  readonly #imports: ReadonlyMap<string, RowImport>;
  readonly #strings = new StringInterner();
  readonly #checkHeader: (header: unknown) => () => void;

  /** @param checkHeader Checks the header; the returned function applies it. */
  constructor(
    world: TableOwner,
    tables: readonly AnyTable[],
    checkHeader: (header: unknown) => () => void,
  ) {
    this.#world = world;
    this.#imports = new Map(tables.map((table) => [table.name, table.beginImport()]));
    this.#checkHeader = checkHeader;
  }

  /**
   * Checks a row and collects it for the commit.
   *
   * @param row Owned by the world from now on.
   * @throws {ApiError} 400 that names table, row and key, when the row is invalid.
   */
  add(table: string, row: unknown): void {
    const fault = this.#importOf(table).add(this.#strings.intern(row));
    if (fault !== undefined) throw ApiError.control(400, "invalid_state", `${table}${fault}`);
  }

  /** @throws {ApiError} 400, when there is no table of that name. */
  requireTable(table: string): void {
    this.#importOf(table);
  }

  /** Replaces the world. @throws {ApiError} 400, when the header is invalid. */
  commit(header: unknown): void {
    const applyHeader = this.#checkHeader(header);
    for (const rows of this.#imports.values()) rows.commit(this.#world);
    applyHeader();
  }

  #importOf(table: string): RowImport {
    const rowImport = this.#imports.get(table);
    if (rowImport !== undefined) return rowImport;
    throw ApiError.control(400, "invalid_state", `tables.${table}: there is no such table`);
  }
}
