import { setTimeout as pause } from "node:timers/promises";
import { LEASE_MS } from "./lease-ms.ts";
import type { Cut } from "./network.ts";
import type { NodeRole } from "./node.ts";
import type { Cluster, Member } from "./rig.ts";

/** Draws a random whole number from 0 to `below - 1`; the same seed gives the same numbers. */
export type Draw = (below: number) => number;

/** Disturbances by name, each with the role of the processes that it hits, or `postgres` for the database. */
const DISTURBANCES = {
  "worker killed": { role: "worker", by: killed },
  "receiver killed": { role: "receiver", by: killed },
  "postgres killed": { role: "postgres", by: postgresKilled },
  "worker stopped": { role: "worker", by: stopped },
  "worker stopped at a mark": { role: "worker", by: stoppedAtMark },
  "worker cut": { role: "worker", by: cut },
  "receiver cut": { role: "receiver", by: cut },
} as const satisfies Readonly<Record<string, Disturbance>>;

export type DisturbanceName = keyof typeof DISTURBANCES;

/** Names of all disturbances, in the order of `DISTURBANCES`. */
export const DISTURBANCE_NAMES = Object.keys(DISTURBANCES).filter(isDisturbance);

interface Disturbance {
  readonly role: NodeRole | "postgres";
  readonly by: (drawn: Drawn, cluster: Cluster, member: Member) => Promise<void>;
}

/** Parameters drawn for one disturbance. */
interface Drawn {
  /** Milliseconds until a killed process is started again. */
  readonly downMs: number;
  /** Milliseconds by which a suspension or network cut lasts longer than {@link LEASE_MS}. */
  readonly beyondMs: number;
  readonly cut: Cut;
  /** Random number that selects one of the undisturbed processes, modulo their number. */
  readonly place: number;
}

const LONGEST_DOWN_MS = 2_000;
const LONGEST_BEYOND_MS = 2_500;
/** Time from a lease's expiry until another worker holds it: workers poll 3 times in {@link LEASE_MS}. */
const TAKEN_OVER_MS = LEASE_MS / 2;
const MANY = 1_000;
const LOOK_EVERY_MS = 20;

/** Disturbs a cluster; each process suffers one disturbance at a time. */
export class Disturber {
  readonly #cluster: Cluster;
  readonly #draw: Draw;
  readonly #busy = new Set<Member | "postgres">();
  readonly #done = new Map<DisturbanceName, number>();
  readonly #story: string[] = [];
  readonly #started = performance.now();

  constructor(cluster: Cluster, draw: Draw) {
    this.#cluster = cluster;
    this.#draw = draw;
  }

  /** Number of disturbances, by kind. */
  get done(): ReadonlyMap<DisturbanceName, number> {
    return this.#done;
  }

  /** Log lines for the report: the start and the end of each disturbance. */
  get story(): readonly string[] {
    return this.#story;
  }

  /**
   * Starts a disturbance of a process that is not disturbed yet.
   *
   * @returns when the disturbance has begun; `over` resolves when it has ended.
   */
  async begin(name: DisturbanceName): Promise<{ readonly over: Promise<void> }> {
    const { role, by }: Disturbance = DISTURBANCES[name];
    const drawn = {
      downMs: this.#draw(LONGEST_DOWN_MS),
      beyondMs: 500 + this.#draw(LONGEST_BEYOND_MS),
      cut: this.#draw(2) === 0 ? ("silent" as const) : ("refusing" as const),
      place: this.#draw(MANY),
    };
    const [target, member] = await this.#free(role, drawn.place);
    this.#busy.add(target);
    const who = target === "postgres" ? "" : ` ${member.node.name}`;
    const how = name.endsWith("cut") ? ` (${drawn.cut})` : "";
    this.#tell(`${name}${how}${who}`);
    const over = by(drawn, this.#cluster, member).finally(() => {
      this.#busy.delete(target);
      this.#tell(`${name}${who}: over`);
    });
    this.#done.set(name, (this.#done.get(name) ?? 0) + 1);
    return { over };
  }

  async #free(
    role: Disturbance["role"],
    place: number,
  ): Promise<readonly [Member | "postgres", Member]> {
    for (;;) {
      const { members } = this.#cluster;
      const free = members.filter(
        (one) => !this.#busy.has(one) && (role === "postgres" || one.node.role === role),
      );
      const member = free[place % Math.max(1, free.length)];
      if (member !== undefined && !(role === "postgres" && this.#busy.has("postgres"))) {
        return [role === "postgres" ? "postgres" : member, member];
      }
      await pause(LOOK_EVERY_MS);
    }
  }

  #tell(what: string): void {
    const seconds = (performance.now() - this.#started) / 1_000;
    this.#story.push(`${seconds.toFixed(1).padStart(6)} s  ${what}`);
  }
}

async function killed({ downMs }: Drawn, _: Cluster, { node }: Member): Promise<void> {
  await node.kill();
  await pause(downMs);
  node.start();
}

async function postgresKilled({ downMs }: Drawn, { postgres }: Cluster): Promise<void> {
  await postgres.kill();
  await pause(downMs);
  await postgres.restart();
}

async function stopped({ beyondMs }: Drawn, _: Cluster, { node }: Member): Promise<void> {
  node.freeze();
  await pause(LEASE_MS + beyondMs);
  node.thaw();
}

/** Suspends a worker just before it sends items, until other workers have taken over its leases and sent them. */
async function stoppedAtMark(drawn: Drawn, _: Cluster, { node }: Member): Promise<void> {
  await node.ready();
  await node.freezeAtMark();
  await pause(LEASE_MS + TAKEN_OVER_MS + drawn.beyondMs);
  node.thaw();
}

async function cut(drawn: Drawn, _: Cluster, { network }: Member): Promise<void> {
  network.cut(drawn.cut);
  await pause(LEASE_MS + drawn.beyondMs);
  network.heal();
}

function isDisturbance(name: string): name is DisturbanceName {
  return Object.hasOwn(DISTURBANCES, name);
}
