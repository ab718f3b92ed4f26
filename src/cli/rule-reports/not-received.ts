import { withSameSettings } from "../output/same-settings.ts";
import { visible } from "../../text/unseen.ts";
import { newestOf } from "../../insight/traces/find-event.ts";
import { dataFolder, settingsFor, type CommonFlags } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";
import { isAnswering, readSandboxFile } from "../../runtime/platform.ts";
import { LocalSandbox } from "../target/sandbox-control.ts";
import type { Stored } from "../target/stored.ts";
import { pendingDeliveries, pendingOf } from "../talk/not-delivered.ts";

/**
 * Returns the reason why a person's latest messages may not have reached the bot, and its fix; undefined if there is
 * none.
 *
 * @param handle With `@`.
 */
export async function notReceived(
  io: Io,
  stored: Pick<Stored, "journal" | "hindrances">,
  handle: string,
  flags: CommonFlags,
): Promise<string | undefined> {
  const newest = await newestOf(stored, handle);
  const stop = stored.hindrances.find(({ stages, account }) => {
    const mine = newest?.row.account ?? account;
    return stages.includes("receiving") && (account ?? mine) === mine;
  });
  const pending = await pendingInSandbox(io, handle, flags);
  if (stop === undefined) return pending && visible(pending);
  const repair = withSameSettings(stop.repair, flags);
  const what =
    newest === undefined
      ? `nothing from ${handle} has come yet`
      : `what ${handle} has written since then has not come yet`;
  const then = "what was missed is read back then";
  const also = pending === undefined ? "" : `; ${pending}`;
  return visible(`${what}: ${stop.reason}; ${repair}; ${then}${also}`);
}

/** The sandbox's pending deliveries of a person; undefined on the live platform, which does not report them. */
async function pendingInSandbox(
  io: Io,
  handle: string,
  flags: CommonFlags,
): Promise<string | undefined> {
  const settings = await settingsFor(io, flags);
  if (settings.target !== "sandbox") return undefined;
  const folder = dataFolder(settings);
  const file = await readSandboxFile(folder);
  if (file === undefined || !(await isAnswering(file))) return undefined;
  const sandbox = new LocalSandbox(file, folder);
  const person = await sandbox.find(handle);
  const pending = person && pendingOf(person.id, await pendingDeliveries(sandbox));
  return pending && withSameSettings(pending, flags);
}
