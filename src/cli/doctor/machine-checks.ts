import { messageOf } from "../../system/error-message.ts";
import { parentOf, proveWritable } from "./writable-folder.ts";
import type { Settings } from "../../config/settings.ts";
import { StoreError } from "../../runtime/records.ts";
import { openStore, writtenStats } from "../../runtime/stores.ts";
import type { ServerRisk } from "../../runtime/vocabulary.ts";
import { isPostgresUrl, shownUrl } from "../../system/postgres-url.ts";
import type { Io } from "../io.ts";
import { dataFolder, exists } from "../arguments/settings-flags.ts";
import { linkedAccounts } from "../target/target.ts";
import { shell } from "../../text/shell.ts";
import { type Finding, fail, failed, ok, warn } from "./finding.ts";

/** Checks whether the store's folder is writable and the accounts' tokens can be decrypted. */
export async function checkStore(io: Io, settings: Settings): Promise<Finding> {
  const { url } = settings.store;
  if (isPostgresUrl(url)) return checkDatabase(url, settings);
  const folder = dataFolder(settings);
  const isThere = await exists(folder, ".");
  try {
    await proveWritable(isThere ? folder : await parentOf(folder));
  } catch (error) {
    const fix = `make room for ${folder}, and let this user write there`;
    return fail("store", `${folder} takes no files: ${messageOf(error)}`, fix);
  }
  if (!isThere) return ok("store", `${folder} is created at the first start`);
  try {
    await linkedAccounts(settings, io);
    const hasStore = await exists(folder, "store.db");
    return ok("store", hasStore ? `${folder}${await writerOf(settings)}` : folder);
  } catch (error) {
    // The store is locked by a running bot, which has checked the store at its start.
    if (error instanceof StoreError && error.code === "store-locked") return ok("store", folder);
    return failed("store", error, `make ${folder} readable for this user`);
  }
}

/** Reads a store. @returns Text with the version of Answerback that last wrote the store; empty if unknown. */
async function writerOf(
  { store: { url }, postgres }: Settings,
  onRisk?: (risk: ServerRisk) => void,
): Promise<string> {
  const store = await openStore(url, { readOnly: true, postgres: { ...postgres, onRisk } });
  try {
    const { writtenBy } = await writtenStats(store);
    return writtenBy === undefined ? "" : `, last written by Answerback ${writtenBy}`;
  } finally {
    await store.close();
  }
}

/** Whether the database exists, is readable as a store, and survives a crash of its machine. */
async function checkDatabase(url: string, settings: Settings): Promise<Finding> {
  const risks: ServerRisk[] = [];
  try {
    const writer = await writerOf(settings, (risk) => void risks.push(risk));
    const [risk] = risks;
    if (risk === undefined) return ok("store", `${shownUrl(url)}${writer}`);
    const { isRefused, message, hint } = risk;
    return isRefused ? fail("store", message, hint) : warn("store", message, hint);
  } catch (error) {
    return failed("store", error, `see whether it answers: ${shell`psql ${shownUrl(url)}`}`);
  }
}
