import { Refusal } from "./refusal.ts";
import { ShortTexts } from "./short-texts.ts";
import type { AnyTable, Intake } from "./table.ts";
import type { World } from "./world.ts";

/** Rows of a saved world on their way in: checked one by one, put in place all at once or never. */
export class Restoration {
  readonly #world: World;
  readonly #intakes: ReadonlyMap<string, Intake>;
  readonly #texts = new ShortTexts();
  readonly #check: (header: unknown) => () => void;

  /** @param check Checks what is not rows, and gives what takes it over. */
  constructor(world: World, tables: readonly AnyTable[], check: (header: unknown) => () => void) {
    this.#world = world;
    this.#intakes = new Map(tables.map((table) => [table.name, table.intake()]));
    this.#check = check;
  }

  /**
   * @param row Is the world's from here on.
   * @throws {Refusal} 400 that names table, row and key, when the row does not fit.
   */
  add(table: string, row: unknown): void {
    const fault = this.#intake(table).add(this.#texts.share(row));
    if (fault !== undefined) throw Refusal.control(400, "invalid_state", `${table}${fault}`);
  }

  /** @throws {Refusal} 400, when the name is no table's. */
  know(table: string): void {
    this.#intake(table);
  }

  /** Puts everything in place. @throws {Refusal} 400, when the header does not fit. */
  commit(header: unknown): void {
    const adopt = this.#check(header);
    for (const intake of this.#intakes.values()) intake.commit(this.#world);
    adopt();
  }

  #intake(table: string): Intake {
    const found = this.#intakes.get(table);
    if (found !== undefined) return found;
    throw Refusal.control(400, "invalid_state", `tables.${table}: there is no such table`);
  }
}
