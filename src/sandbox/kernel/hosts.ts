import * as z from "zod";
import { defineTable } from "./table.ts";
import type { World } from "./world.ts";

/** The host table: which loopback server stands for which public host. */
export const hostTable = defineTable({
  name: "hosts",
  schema: z.strictObject({ host: z.string(), target: z.string(), ca: z.string().optional() }),
  key: (row) => row.host,
  indexes: {},
});

/** A server on this machine that stands for a public host. */
export interface Target {
  readonly url: URL;
  /** Public name, which the certificate of an https target must be for. */
  readonly host: string;
  /** Certificates in PEM that are trusted for it; the machine's own without them. */
  readonly ca?: string | undefined;
}

/** Where public URLs lead on this machine. */
export class Hosts {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  set(host: string, target: string, ca?: string): void {
    const row = { host: host.toLowerCase(), target, ...(ca === undefined ? {} : { ca }) };
    hostTable.in(this.#world).put(row);
  }

  list(): { host: string; target: string; ca?: string | undefined }[] {
    return [...hostTable.in(this.#world).all()];
  }

  /** Whom to call in place of `url`: the target, then the path and query of `url`. */
  resolve(url: string): Target | undefined {
    const wanted = new URL(url);
    const row = hostTable.in(this.#world).get(wanted.hostname);
    if (row === undefined) return undefined;
    const target = new URL(row.target);
    const prefix = target.pathname.replace(/\/$/, "");
    return {
      url: new URL(`${target.origin}${prefix}${wanted.pathname}${wanted.search}`),
      host: wanted.hostname,
      ca: row.ca,
    };
  }
}
