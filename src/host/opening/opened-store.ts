import { join } from "node:path";
import { openContinuity } from "../../runtime/continuity/continuity.ts";
import { HOLD_MS } from "../../runtime/outbox/plan.ts";
import type { StoreError } from "../../runtime/store/errors.ts";
import { openStore } from "../../runtime/store/open.ts";
import { isPostgresUrl } from "../../system/postgres-url.ts";
import { stateFolder } from "../../system/files/state-folder.ts";
import type { SettledOptions } from "./settled-options.ts";
import type { BotParts } from "../parts.ts";

/** Opens the store, with a promise that resolves when the store has failed. */
export async function storeOf({ openStore: open = openStore, settings, log }: SettledOptions) {
  let onDied = (_error: StoreError): void => {};
  const died = new Promise<StoreError>((resolve) => (onDied = resolve));
  const store = await open(settings.store.url, {
    postgres: {
      ...settings.postgres,
      onRisk: ({ message, hint }) => log.warn({ hint }, message),
    },
    onDied: (error) => {
      log.error({ err: error }, "the store has failed and the process ends");
      onDied(error);
    },
    onMigrated: ({ from, to, copy }) =>
      log.warn(
        { from, to, ...(copy !== undefined && { copy }) },
        copy === undefined
          ? `the store's tables were migrated from schema version ${from} to ${to}`
          : "the store was migrated to a newer schema version; the old file is kept as a copy",
      ),
    onWriter: ({ from, to }) =>
      log.info({ from, to }, "the store was last written by another version of Answerback"),
  });
  return { store, died };
}

/** Detects a store that is a copy, or a backup from before items were sent. A dry run has its own store: no check. */
export async function checkContinuity(
  { dryRun, folder, settings, environment }: SettledOptions,
  {
    store,
    clock,
    log,
    events,
    cleanup,
  }: Pick<BotParts, "store" | "clock" | "log" | "events" | "cleanup">,
): Promise<void> {
  const continuity =
    dryRun === true
      ? undefined
      : await openContinuity({
          store,
          clock,
          log,
          file: isPostgresUrl(settings.store.url) ? undefined : join(folder, "store.db"),
          stateFolder: stateFolder(environment),
        });
  const items = await store.startRestored(clock.now(), HOLD_MS);
  if (items > 0) {
    log.warn(
      { items },
      "the store may be missing sent answers: each of these answers is looked up on the platform before it is sent",
    );
  }
  if (continuity === undefined) return;
  events.on("item-settled", () => continuity.sent());
  cleanup.add("the record of the store's last run", () => continuity.stop());
}
