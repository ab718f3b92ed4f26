import * as z from "zod";
import { ruled } from "../world/columns.ts";
import { defineTable } from "../world/table.ts";
import type { SandboxWorld } from "../world/sandbox-world.ts";

/**
 * Returns why a URL can't be the target of a public host; `undefined` if it can. The target must be on this machine.
 */
export function targetFault(target: string): string | undefined {
  const { protocol, hostname } = URL.canParse(target) ? new URL(target) : {};
  const isHttp = protocol === "http:" || protocol === "https:";
  if (isHttp && ["127.0.0.1", "localhost", "[::1]"].includes(hostname ?? "")) return undefined;
  return `The target must be on loopback, such as http://127.0.0.1:8080; got ${target}.`;
}

/** Table that maps public hosts to loopback servers. */
export const hostTable = defineTable({
  name: "hosts",
  schema: z.strictObject({
    host: z.string().min(1).toLowerCase(),
    target: ruled(targetFault),
    ca: z.string().includes("-----BEGIN CERTIFICATE-----").optional(),
  }),
  key: (row) => row.host,
  indexes: {},
});

/** A server on this machine that receives the requests to a public host. */
export interface LoopbackTarget {
  readonly url: URL;
  /** Public name: sent as `Host`, and matched by the certificate of an https target. */
  readonly host: string;
  /** Trusted certificates in PEM; by default the certificates that the machine trusts. */
  readonly ca?: string | undefined;
}

/** Resolves public URLs to servers on this machine. */
export class Hosts {
  readonly #world: SandboxWorld;

  constructor(world: SandboxWorld) {
    this.#world = world;
  }

  set(host: string, target: string, ca?: string): void {
    const row = { host: host.toLowerCase(), target, ...(ca === undefined ? {} : { ca }) };
    hostTable.in(this.#world).put(row);
  }

  list(): { host: string; target: string; ca?: string | undefined }[] {
    return [...hostTable.in(this.#world).all()];
  }

  /** Returns the target of requests to `url`: the mapped server with the path and query of `url`. */
  resolve(url: string): LoopbackTarget | undefined {
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
