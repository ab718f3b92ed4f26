import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { makeFolder } from "../../system/files/created-folder.ts";
import { replaceFile } from "../../system/files/own-file.ts";
import { isAlive } from "../../system/is-alive.ts";
import { isMissingFile } from "../../system/files/missing-file.ts";
import type { Log } from "../log.ts";
import { pollLoop } from "../loop/poll-loop.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import type { InstanceEvidence } from "./other-instances.ts";

const record = z.object({
  instance: z.string(),
  pid: z.number(),
  host: z.string(),
  /** Data folder. */
  folder: z.string(),
  store: z.string(),
  /** Start of the instance, in milliseconds since the epoch by the machine's clock. */
  startedAt: z.number(),
  /** User ids of the accounts that the instance answers for. */
  accounts: z.array(z.string()),
  /** User ids of those of its accounts for which the instance currently sends nothing. */
  heldBack: z.array(z.string()),
});

type InstanceRecord = z.infer<typeof record>;

export interface MachineInstancesNeeds {
  /** Folder in which all instances on this machine keep their state. */
  readonly stateFolder: string;
  /** Data folder of this instance. */
  readonly folder: string;
  readonly storeId: string;
  /** Whether the store may be shared. If so, instances with the same store are not reported. */
  readonly isShared: boolean;
  /** Name of the app on its platform. Only instances of the same app are compared. */
  readonly app: string;
  /** Returns the user ids of the accounts that this instance currently answers for. */
  readonly accounts: () => readonly string[];
  /** Whether this instance currently sends nothing for the account. */
  readonly isHeldBack: (account: string) => boolean;
  readonly onOther: (evidence: InstanceEvidence) => Promise<void>;
  readonly log: Log;
  /** Returns milliseconds since the epoch. Default: the machine's clock. */
  readonly now?: () => number;
}

/** Check for other instances on this machine that answer for the same accounts. */
export interface MachineInstances {
  stop(): Promise<void>;
}

/** Real milliseconds between two updates of an instance's record. */
const RECORD_EVERY_MS = 10_000;
/** Age of a record, in milliseconds, from which its instance counts as ended. */
const FRESH_MS = 60_000;

/**
 * Records this instance in the machine's state folder, and regularly checks that folder for other instances of the same
 * app. Resolves after the first check. If the folder can't be written, the error is logged, and other instances go
 * unnoticed.
 */
export async function followMachineInstances(
  needs: MachineInstancesNeeds,
): Promise<MachineInstances> {
  const { log, accounts, now = () => Date.now() } = needs;
  const own = {
    instance: randomUUID(),
    pid: process.pid,
    host: hostname(),
    folder: needs.folder,
    store: needs.storeId,
    startedAt: now(),
  };
  const name = createHash("sha256").update(needs.app).digest("hex").slice(0, 32);
  const folder = join(needs.stateFolder, "instances", name);
  const file = join(folder, `${own.instance}.json`);
  const look = async (): Promise<void> => {
    makeFolder(folder, 0o700);
    try {
      for (const other of await othersIn(folder, own, now())) {
        if (needs.isShared && other.store === own.store) continue;
        const theirs = new Set(other.accounts);
        for (const account of accounts().filter((id) => theirs.has(id))) {
          await needs.onOther(evidenceOf(other, own, account));
        }
      }
    } finally {
      // Other instances must notice this one also while its store fails.
      const heldBack = accounts().filter((account) => needs.isHeldBack(account));
      const written: InstanceRecord = { ...own, accounts: [...accounts()], heldBack };
      await replaceFile(file, JSON.stringify(written));
    }
  };
  const failed = throttle(LOG_EVERY_MS, (error: unknown) =>
    log.info({ err: error }, "the check for other instances on this machine failed"),
  );
  await look().catch(failed);
  const loop = pollLoop({ poll: look, everyMs: RECORD_EVERY_MS, onError: failed });
  return {
    async stop() {
      await loop.stop();
      await rm(file, { force: true });
    },
  };
}

type Own = Omit<InstanceRecord, "accounts" | "heldBack">;

function evidenceOf(other: InstanceRecord, own: Own, account: string): InstanceEvidence {
  const isLater =
    own.startedAt === other.startedAt
      ? own.instance > other.instance
      : own.startedAt > other.startedAt;
  return {
    account,
    id: `instance:${other.instance}`,
    reason: `process ${other.pid} with the data folder ${other.folder} runs on this machine`,
    // This instance may send for the account, even if it started later, if the other one already sends nothing for it.
    holdsBack: isLater && !other.heldBack.includes(account),
  };
}

/** Reads the records of other instances that still run. Removes the records of instances that have ended. */
async function othersIn(folder: string, own: Own, now: number): Promise<InstanceRecord[]> {
  const others: InstanceRecord[] = [];
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const other = await readRecord(file, now);
    if (other === "gone") await rm(file, { force: true });
    else if (other !== undefined && !isOwn(other, own)) others.push(other);
  }
  return others;
}

/**
 * Whether this instance wrote a record, or an earlier process with its data folder. A folder has one process at a time.
 */
function isOwn(other: InstanceRecord, { instance, host, folder }: Own): boolean {
  return other.instance === instance || (other.host === host && other.folder === folder);
}

async function readRecord(file: string, now: number): Promise<InstanceRecord | "gone" | undefined> {
  try {
    const { mtimeMs } = await stat(file);
    const read = record.safeParse(JSON.parse(await readFile(file, "utf8")));
    // A newer version of Answerback may write records in another format.
    if (!read.success) return undefined;
    const instance = read.data;
    const isFresh = Math.abs(now - mtimeMs) < FRESH_MS;
    return isFresh && (instance.host !== hostname() || isAlive(instance.pid)) ? instance : "gone";
  } catch (error) {
    // The other instance has just removed its file, or is still writing it.
    if (isMissingFile(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
