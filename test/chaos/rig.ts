import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSettings } from "../../src/config/load-settings.ts";
import { callRuntime } from "../../src/runtime/control/call.ts";
import { writeSandboxFile } from "../../src/runtime/platform/sandbox-file.ts";
import { seedSandbox } from "../../src/runtime/platform/seed-sandbox.ts";
import { startSandbox, type RunningSandbox } from "../../src/sandbox/index.ts";
import { conversationReader, journalReader } from "../crash/readers.ts";
import type { Conversations } from "../crash/rig.ts";
import { RULES } from "../crash/script.ts";
import { startPostgres, type TestPostgres } from "../postgres/server.ts";
import type { Bundle } from "../support/bundle.ts";
import { balancer, type Balancer } from "./balancer.ts";
import { CONTROL_VARIABLE, type ControlName } from "./controls.ts";
import { network, type Network } from "./network.ts";
import { clusterNode, type ClusterNode, type NodeRole } from "./node.ts";
import { UNLIMITED } from "../support/unlimited.ts";

/** Program that each process of a {@link Cluster} runs, as a path without `.ts`. It is bundled first. */
export const PROGRAM = "test/chaos/child-node";

/** Several processes of one bot on one store, with platform, network and people. */
export interface Cluster extends Conversations {
  readonly sandbox: RunningSandbox;
  readonly door: Balancer;
  readonly postgres: TestPostgres;
  readonly members: readonly Member[];
  close(): Promise<void>;
}

/** A process, and its own connection to the store. */
export interface Member {
  readonly node: ClusterNode;
  readonly network: Network;
}

export interface ClusterOptions {
  readonly bundle: Bundle;
  readonly seed: number;
  readonly control?: ControlName | undefined;
}

const NODES: readonly { readonly name: string; readonly role: NodeRole }[] = [
  { name: "receiver-1", role: "receiver" },
  { name: "receiver-2", role: "receiver" },
  { name: "worker-1", role: "worker" },
  { name: "worker-2", role: "worker" },
  { name: "worker-3", role: "worker" },
];
const ACCOUNTS = ["first_bot", "second_bot"];
const PEOPLE = 20;
const WEBHOOK_HOST = "bot.example";
const MANY_RETRIES = 20_000;
const RETRY_MS = 200;
const YEAR_MS = 365 * 86_400_000;
/** Time limits of the load balancer: for one receiver's response, and for its retries at all receivers. */
const BALANCER = { answerWithinMs: 3_000, retryForMs: 5_000 };

/** Starts everything in a new folder; resolves when all processes are ready. */
export async function openCluster({ bundle, seed, control }: ClusterOptions): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "answerback-chaos-"));
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const one of closing.splice(0).toReversed()) await one();
  };
  try {
    const postgres = await startPostgres({ durable: true });
    closing.push(() => postgres.stop());
    const store = new URL(await postgres.createDatabase());
    const sandbox = await startSandbox({
      seed: String(seed),
      settings: {
        limits: UNLIMITED,
        // Deliveries fail while all receivers are down; the platform must keep retrying them.
        retries_ms: Array.from({ length: MANY_RETRIES }, () => RETRY_MS),
        challenge_every_ms: YEAR_MS,
      },
    });
    closing.push(() => sandbox.close());
    const door = await balancer(BALANCER);
    closing.push(() => door.close());
    await sandbox.control.host(WEBHOOK_HOST, door.url);
    const members: Member[] = [];
    // Encrypts the accounts' tokens in the store.
    const key = randomBytes(32).toString("hex");
    for (const { name, role } of NODES) {
      const own = await network(postgres);
      closing.push(() => own.close());
      store.port = String(own.port);
      const place = join(folder, name);
      await writePlace(place, settingsText({ name, role, store: store.href }));
      const node = clusterNode({
        name,
        role,
        data: join(place, "data"),
        command: bundle.command(PROGRAM, [place]),
        env: { ANSWERBACK_KEY: key, ...(control && { [CONTROL_VARIABLE]: control }) },
        onListening: (url) => door.lead(name, role === "worker" ? undefined : url),
      });
      closing.push(() => node.close());
      members.push({ node, network: own });
    }
    const { app, people } = await seedAll(sandbox, members, key);
    for (const { node } of members) node.start();
    await Promise.all(members.map(({ node }) => node.ready()));
    const accounts = await accountIds(sandbox);
    const ask = asker(members);
    return {
      sandbox,
      door,
      postgres,
      members,
      people,
      accounts,
      // A cluster always works: when one process stops, others take over its work.
      isWorking: async () => true,
      kinds: ["one", "two", "late"],
      log: () => members.map(({ node }) => node.log()).join(""),
      ask,
      written: conversationReader(sandbox, app, accounts),
      arrivals: journalReader(ask),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Sends a request to the running processes, until one of them answers. */
function asker(members: readonly Member[]): Cluster["ask"] {
  return async (name, request) => {
    for (const { node } of members) {
      if (!node.isUp()) continue;
      const answer = await callRuntime(node.data, name, request).catch(() => undefined);
      if (answer !== undefined) return answer;
    }
    return undefined;
  };
}

async function writePlace(folder: string, settings: string): Promise<void> {
  await mkdir(join(folder, "rules"), { recursive: true });
  await mkdir(join(folder, "data"));
  await writeFile(join(folder, "answerback.yaml"), settings);
  await writeFile(join(folder, "rules", "rules.yaml"), RULES);
}

function settingsText({ name, role, store }: { name: string; role: NodeRole; store: string }) {
  return [
    "version: 1",
    `accounts: ${JSON.stringify(ACCOUNTS)}`,
    "bots: []",
    `webhook: {url: "https://${WEBHOOK_HOST}/webhook", listen: "127.0.0.1:0"}`,
    `store: ${JSON.stringify(store)}`,
    "data: data",
    `role: ${role}`,
    `process_name: ${name}`,
    // Switches the bot's own limits off: the bot sends each person more answers than its default limits allow, and
    // every answer has to arrive.
    "limits: {replies: 9999 in 10m, loop: 9999 in 10m, equal_replies: none, equal_posts: none}",
    "",
  ].join("\n");
}

/** Stores the accounts' tokens in the shared store, and writes the sandbox's address into each process's folder. */
async function seedAll(sandbox: RunningSandbox, members: readonly Member[], key: string) {
  const [first] = members;
  if (first === undefined) throw new Error("there is no process");
  const folder = first.node.data;
  const people = Array.from({ length: PEOPLE }, (_, n) => ({ username: `p${n}`, name: `P${n}` }));
  const cwd = join(folder, "..");
  const env = { ANSWERBACK_KEY: key };
  const settings = await loadSettings({ cwd, file: join(cwd, "answerback.yaml"), environment: {} });
  const seeded = await seedSandbox({ settings, sandbox, folder, before: undefined, people, env });
  for (const { node } of members) await writeSandboxFile(node.data, seeded);
  return { app: seeded.app, people: seeded.people.map(({ id }) => id) };
}

async function accountIds({ control }: RunningSandbox): Promise<readonly string[]> {
  const searches = ACCOUNTS.map(async (username) => {
    const { users } = await control.get<{ users: { id: string }[] }>(`/users?username=${username}`);
    return users.map(({ id }) => id);
  });
  return (await Promise.all(searches)).flat();
}
