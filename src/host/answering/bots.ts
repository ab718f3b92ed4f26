import type { BotHost } from "../../bots/bot-host.ts";
import { startBots } from "../../bots/host.ts";
import type { BotLogLine } from "../../bots/messages.ts";
import { type Log, RELOAD_STAGE } from "../../runtime/log.ts";
import { type BotsInForce, openBotsInForce } from "../../runtime/reload/bots-in-force.ts";
import { rememberedBots } from "../../runtime/reload/remembered-bots.ts";
import type { AnsweringNeeds } from "./ground.ts";

/** Bots in their worker threads, and the reload of their modules. */
export interface OpenedBots {
  readonly bots: BotHost;
  readonly inForce: BotsInForce;
}

/** Loads the bot modules into worker threads, and reloads changed modules. */
export async function openBots(needs: AnsweringNeeds): Promise<OpenedBots> {
  const { store, clock, log, cleanup, modules, settings } = needs;
  const ending = new AbortController();
  cleanup.add("the list of loaded bots", () => ending.abort());
  const remembered = await rememberedBots(store, log, ending.signal);
  const bots = await startBots({
    files: await modules.findBots(),
    remembered: remembered.before,
    onBots: (loaded) => remembered.note(loaded),
    callsWithin: modules.projectFolders,
    now: () => clock.now(),
    onLog: botLog(log),
    dialect: needs.platform?.dialect,
    ...(modules.patienceMs !== undefined && { patienceMs: modules.patienceMs }),
    ...settings.botLimits,
  });
  cleanup.add("the bots", () => bots.close());
  for (const { file, message } of bots.faults) {
    // a bot whose load is retried later has already been logged
    if (!bots.loading.some((one) => one.file === file))
      log.error({ file }, `bot not loaded: ${message}`);
  }
  const inForce = await openBotsInForce({
    find: modules.findBots,
    findUsed: modules.findUsed,
    host: bots,
    log: log.child({ stage: RELOAD_STAGE }),
  });
  modules.onFiles?.(() => inForce.reloadChanged());
  return { bots, inForce };
}

function botLog(log: Log): (line: BotLogLine) => void {
  return ({ level, bot, key, message, fields }) =>
    log[level](
      { ...fields, ...(bot !== undefined && { bot }), ...(key !== undefined && { event: key }) },
      message,
    );
}
