import type { Conversations } from "./rig.ts";
import { answersTo, type Said } from "./script.ts";

/**
 * The bot counts as stuck when its counts stay the same for this many polls, each of which moved the clock on, and for
 * {@link STUCK_MS}. Polls are counted because a busy machine makes them slower; the time is longer than the runtime
 * waits before it reads the platform again.
 */
const STUCK_LOOKS = 250;
const STUCK_MS = 20_000;
/** Real milliseconds in which a bot must answer again. */
const PATIENCE_MS = 300_000;
/**
 * While something is unknown the clock must not run past the time for which that holds up its lane, nor past the life of a
 * worker's share of a limit before it is used; and while something is to be decided not past the age up to which messages
 * are answered.
 */
const CAREFUL_STEP_MS = 1_000;
const STEP_MS = 240_000;
const LOOK_EVERY_MS = 40;
/** Polls with nothing under way after which a missing answer counts as lost. */
const QUIET_LOOKS = 25;

/**
 * Moves the sandbox's clock on until each acknowledged message is answered and nothing is under way.
 *
 * @returns false when that did not come about in time.
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
      // Answered messages stay answered: only the others are looked up again.
      open = await unanswered(rig, open);
      const missing = open.filter(({ id }) => rig.door.acknowledged.has(id));
      const { pending, sending, unknown } = items;
      const isQuiet = pending + sending + unknown + inbox + runs.ready + runs.waiting === 0;
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

/** Messages that the bot has not acknowledged yet, or did not answer, or not in full. */
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
