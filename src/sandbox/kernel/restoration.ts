import { Refusal } from "./refusal.ts";
import type { AnyTable, Intake } from "./table.ts";
import type { World } from "./world.ts";

/** Rows of a saved world on their way in: checked one by one, put in place all at once or never. */
export class Restoration {
  readonly #world: World;
  readonly #intakes: ReadonlyMap<string, Intake>;
  readonly #adopt: () => void;

  /** @param adopt Takes over what is not rows. */
  constructor(world: World, tables: readonly AnyTable[], adopt: () => void) {
    this.#world = world;
    this.#intakes = new Map(tables.map((table) => [table.name, table.intake()]));
    this.#adopt = adopt;
  }

  /** @throws {Refusal} 400 that names table, row and key, when the row does not fit. */
  add(table: string, row: unknown): void {
    const fault = this.#intake(table).add(row);
    if (fault !== undefined) throw Refusal.control(400, "invalid_state", `${table}${fault}`);
  }

  /** @throws {Refusal} 400, when one of the names is no table's. */
  know(tables: readonly string[]): void {
    for (const table of tables) this.#intake(table);
  }

  commit(): void {
    for (const intake of this.#intakes.values()) intake.commit(this.#world);
    this.#adopt();
  }

  #intake(table: string): Intake {
    const found = this.#intakes.get(table);
    if (found !== undefined) return found;
    throw Refusal.control(400, "invalid_state", `tables.${table}: there is no such table`);
  }
}
