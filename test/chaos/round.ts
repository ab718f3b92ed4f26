import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { addFaults, removeFaults } from "../crash/faults.ts";
import { laneStory } from "../crash/lane-story.ts";
import { settle } from "../crash/settle.ts";
import { type Traffic, traffic, whileTalking } from "../crash/traffic.ts";
import { type Fault, verify } from "../crash/verify.ts";
import type { Bundle } from "../support/bundle.ts";
import { seeded } from "../support/seeded.ts";
import type { ControlName } from "./controls.ts";
import { decidedOnce } from "./decided-once.ts";
import { type Draw, DISTURBANCE_NAMES, type DisturbanceName, Disturber } from "./disturb.ts";
import { type Cluster, openCluster } from "./rig.ts";

export interface RoundOptions {
  readonly bundle: Bundle;
  readonly seed: number;
  readonly control?: ControlName | undefined;
  /** Whether to restart each process gracefully, one after the other, instead of the other disturbances. */
  readonly rolling?: boolean;
  /** Number of random disturbances in addition to one of each kind; 3 by default. */
  readonly more?: number;
  /** Folder that gets a file with the log of each process. */
  readonly logs?: string | undefined;
}

/** Result of a round. */
export interface RoundOutcome {
  /** Number of messages whose delivery was acknowledged to the platform. */
  readonly acknowledged: number;
  readonly answered: number;
  readonly faults: readonly (Fault & { readonly story: readonly string[] })[];
  /** Number of disturbances, by kind. */
  readonly disturbances: ReadonlyMap<DisturbanceName, number>;
  /** Number of deliveries that no receiver accepted, although the load balancer retried. */
  readonly refused: number;
  /** Longest time that an accepted delivery waited for a receiver, in milliseconds. */
  readonly longestWaitMs: number;
  /** Time from the end of the last disturbance until no work was open, in milliseconds. */
  readonly restMs: number;
  /** Log lines about the disturbances, oldest first. */
  readonly story: readonly string[];
  /** Processes that ended without being killed or stopped, each with the end of its log. */
  readonly ownEnds: readonly string[];
}

/** Runs a cluster under load and disturbances, waits until no work is open, and checks the answers that people got. */
export async function round(options: RoundOptions): Promise<RoundOutcome> {
  const cluster = await openCluster(options);
  try {
    const draw = seeded(options.seed);
    const talk = traffic(cluster, draw);
    const disturber = new Disturber(cluster, draw);
    await addFaults(cluster, options.seed);
    await addSlowness(cluster, options.seed);
    await whileTalking(cluster, talk, { draw, longestPauseMs: 50 }, () =>
      options.rolling === true
        ? restartEach(cluster)
        : disturb(disturber, draw, options.more ?? MORE),
    );
    const disturbed = performance.now();
    await removeFaults(cluster);
    await Promise.all(cluster.members.map(({ node }) => node.ready()));
    const outcome = await judged(cluster, talk);
    return { ...outcome, restMs: performance.now() - disturbed, ...seenBy(cluster, disturber) };
  } finally {
    if (options.logs !== undefined) await keepLogs(cluster, options.logs);
    await cluster.close();
  }
}

/** Slows requests down, so that each disturbance affects messages in progress. */
async function addSlowness({ sandbox }: Cluster, seed: number): Promise<void> {
  const match = { direction: "request", method: "POST", path: "/2/dm_conversations/*" };
  for (const [place, [percent, ms]] of SLOWNESS.entries()) {
    const when = { probability: percent / 100, seed: seed * 100 + 50 + place };
    await sandbox.control.post("/faults", { match, fault: { type: "delay", ms }, when });
  }
}

/** Pairs of a percentage of the requests and the delay of their responses in milliseconds. */
const SLOWNESS = [
  [50, 250],
  [20, 600],
] as const;

/** Returns each kind of disturbance once and `more` further ones, in random order. */
async function disturb(disturber: Disturber, draw: Draw, more: number): Promise<void> {
  const kinds = [...DISTURBANCE_NAMES];
  for (let n = 0; n < more; n += 1) {
    kinds.push(...DISTURBANCE_NAMES.slice(draw(DISTURBANCE_NAMES.length)).slice(0, 1));
  }
  const over: Promise<void>[] = [];
  await pause(BEFORE_MS);
  while (kinds.length > 0) {
    for (const name of kinds.splice(draw(kinds.length), 1)) {
      over.push((await disturber.begin(name)).over);
    }
    await pause(draw(LONGEST_PAUSE_MS));
  }
  await Promise.all(over);
}

async function restartEach({ members }: Cluster): Promise<void> {
  await pause(BEFORE_MS);
  for (const { node } of members) {
    await node.end();
    node.start();
    await node.ready();
    await pause(BETWEEN_MS);
  }
}

async function keepLogs({ members }: Cluster, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { node } of members) await writeFile(join(folder, `${node.name}.log`), node.log());
}

async function judged(cluster: Cluster, talk: Traffic) {
  const last = await talk.everybody();
  await allArrived(
    cluster,
    last.map(({ id }) => id),
  );
  const { said } = talk;
  await settle(cluster, said);
  const { acknowledged, answered, faults } = await verify(cluster, said, last);
  const all = [...faults, ...(await decidedOnce(cluster, said))];
  const faultsWithStories: (Fault & { readonly story: readonly string[] })[] = [];
  for (const fault of all) {
    const story =
      faultsWithStories.length < STORIES ? await laneStory(cluster, fault.lane, fault.about) : [];
    faultsWithStories.push({ ...fault, story });
  }
  return { acknowledged, answered, faults: faultsWithStories };
}

async function allArrived({ door, sandbox }: Cluster, ids: readonly string[]): Promise<void> {
  const deadline = performance.now() + ARRIVED_WITHIN_MS;
  while (!ids.every((id) => door.acknowledged.has(id)) && performance.now() < deadline) {
    await sandbox.control.advance(1_000);
    await pause(LOOK_EVERY_MS);
  }
}

function seenBy({ door, members }: Cluster, { done, story }: Disturber) {
  return {
    disturbances: done,
    story,
    refused: door.refused(),
    longestWaitMs: Math.round(door.longestWait()),
    ownEnds: members.flatMap(({ node }) => node.ownEnds),
  };
}

/** Default for {@link RoundOptions.more}. */
const MORE = 3;
/** Pause before the first disturbance, so that messages are being processed when it begins. */
const BEFORE_MS = 1_000;
const BETWEEN_MS = 500;
const LONGEST_PAUSE_MS = 2_000;
const ARRIVED_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 40;
const STORIES = 5;
