import * as z from "zod";
import { defineTable } from "./table.ts";
import type { World } from "./world.ts";

/** The host table: which loopback server stands for which public host. */
export const hostTable = defineTable({
  name: "hosts",
  schema: z.strictObject({ host: z.string(), target: z.string() }),
  key: (row) => row.host,
  indexes: {},
});

/** Where public URLs lead on this machine. */
export class Hosts {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  set(host: string, target: string): void {
    hostTable.in(this.#world).put({ host: host.toLowerCase(), target });
  }

  list(): { host: string; target: string }[] {
    return [...hostTable.in(this.#world).all()];
  }

  /** The URL to call in place of `url`: the target, then the path and query of `url`. */
  resolve(url: string): URL | undefined {
    const wanted = new URL(url);
    const row = hostTable.in(this.#world).get(wanted.hostname);
    if (row === undefined) return undefined;
    const target = new URL(row.target);
    const prefix = target.pathname.replace(/\/$/, "");
    return new URL(`${target.origin}${prefix}${wanted.pathname}${wanted.search}`);
  }
}
