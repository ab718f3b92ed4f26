import type { Conversations } from "./rig.ts";
import { answersTo, type Said } from "./script.ts";

/**
 * A bot is stuck if its open work stays unchanged for this number of polls and for {@link STUCK_MS}. Each poll moves
 * the clock. The number of polls matters because a busy machine needs more time for each.
 */
const STUCK_LOOKS = 250;
const STUCK_MS = 20_000;
/** Real milliseconds within which a bot must answer again. */
const PATIENCE_MS = 300_000;
/**
 * Step of the clock in milliseconds while work is open. After a larger step an item with an unknown outcome might no
 * longer block its conversation, a worker's quota share might expire unused, or a message become too old.
 */
const CAREFUL_STEP_MS = 1_000;
const STEP_MS = 240_000;
const LOOK_EVERY_MS = 40;
/** Number of polls without open work after which a missing answer counts as lost. */
const QUIET_LOOKS = 25;

/**
 * Advances the sandbox's clock until each acknowledged message is answered and no work is open.
 *
 * @returns whether this state was reached in time.
 */
export async function settle(rig: Conversations, said: readonly Said[]): Promise<boolean> {
  let deadline = performance.now() + PATIENCE_MS;
  let before = "";
  let quiet = 0;
  let stuck = 0;
  let changedAt = performance.now();
  let open = said;
  const isStuck = (): boolean => stuck >= STUCK_LOOKS && performance.now() - changedAt >= STUCK_MS;
  while (performance.now() < deadline && quiet < QUIET_LOOKS && !isStuck()) {
    const status = await rig.ask("status", {});
    if (status !== undefined) {
      const { items, inbox, runs } = status.store;
      const { pending, sending, unknown } = items;
      const isQuiet = pending + sending + unknown + inbox + runs.ready + runs.waiting === 0;
      // An answered message needs no further look-up. Look-ups are slow, and useless while work is open.
      if (isQuiet) open = await unanswered(rig, open);
      const missing = open.filter(({ id }) => rig.door.acknowledged.has(id));
      if (isQuiet && missing.length === 0) return true;
      quiet = isQuiet ? quiet + 1 : 0;
      const now = JSON.stringify([items, inbox, runs, missing.length]);
      if (now === before) stuck += 1;
      else {
        stuck = 0;
        changedAt = performance.now();
      }
      before = now;
      deadline = performance.now() + PATIENCE_MS;
      if (await rig.isWorking())
        await rig.sandbox.control.advance(
          unknown + sending + inbox > 0 ? CAREFUL_STEP_MS : STEP_MS,
        );
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return false;
}

/** Returns messages that are not acknowledged, not answered, or not answered in full. */
async function unanswered(rig: Conversations, said: readonly Said[]): Promise<readonly Said[]> {
  const there = new Map<string, Promise<readonly string[]>>();
  const answers = ({ account, person }: Said): Promise<readonly string[]> => {
    const lane = `${account}/${person}`;
    const texts = there.get(lane) ?? rig.written(account, person);
    there.set(lane, texts);
    return texts;
  };
  const missing: Said[] = [];
  for (const one of said) {
    const isAcknowledged = rig.door.acknowledged.has(one.id);
    const answerTexts = isAcknowledged ? new Set(await answers(one)) : new Set();
    if (!answersTo(one).every((answer) => answerTexts.has(answer))) missing.push(one);
  }
  return missing;
}
