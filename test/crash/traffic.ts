import type { Conversations } from "./rig.ts";
import type { Kind, Said } from "./script.ts";

/** Draws a random whole number from 0 to `below - 1`; the same seed gives the same numbers. */
type Draw = (below: number) => number;

/** Sends messages as the people of a rig. */
export interface Traffic {
  /** Messages sent so far. */
  readonly said: readonly Said[];
  /** Sends a message of a random person to a random account. */
  say(): Promise<void>;
  /** Sends one message of each person to each account. */
  everybody(): Promise<readonly Said[]>;
}

/** Creates people who send random messages. */
export function traffic({ sandbox, people, accounts, kinds }: Conversations, draw: Draw): Traffic {
  const said: Said[] = [];
  let count = 0;
  const say = async (person: string, account: string, kind: Kind): Promise<Said> => {
    const text = `${kind} ${String(++count).padStart(6, "0")}`;
    const { id } = await sandbox.control.act(person, { type: "dm", to: account, text });
    const one = { id, person, account, kind, text };
    said.push(one);
    return one;
  };
  const drawn = <T>(from: readonly T[]): T => {
    const one = from[draw(from.length)];
    if (one === undefined) throw new Error("nothing to draw from");
    return one;
  };
  return {
    said,
    async say() {
      await say(drawn(people), drawn(accounts), drawn(kinds));
    },
    everybody: () =>
      Promise.all(
        people.flatMap((person) => accounts.map((account) => say(person, account, "one"))),
      ),
  };
}

/**
 * Sends messages until `during` has ended, and few while {@link MANY_UNACKNOWLEDGED} wait for the bot: a larger backlog
 * tests no more, but takes most of the campaign's time. The sandbox's clock runs faster than real time meanwhile.
 */
export async function whileTalking<T>(
  rig: Conversations,
  { say, said }: Pick<Traffic, "say" | "said">,
  { draw, longestPauseMs }: { readonly draw: Draw; readonly longestPauseMs: number },
  during: () => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const talking = (async () => {
    for (let turn = 0; !ended.signal.aborted; turn += 1) {
      await say();
      const isMuch = said.length - rig.door.acknowledged.size >= MANY_UNACKNOWLEDGED;
      if (turn % TURNS_PER_STEP === 0 && (await rig.isWorking()))
        await rig.sandbox.control.advance(STEP_MS);
      await new Promise((resolve) =>
        setTimeout(resolve, draw(isMuch ? LONGEST_PAUSE_OF_MANY_MS : longestPauseMs)),
      );
    }
  })();
  try {
    return await during();
  } finally {
    ended.abort();
    await talking;
  }
}

const MANY_UNACKNOWLEDGED = 24;
const LONGEST_PAUSE_OF_MANY_MS = 1_000;
const TURNS_PER_STEP = 8;
const STEP_MS = 2_000;
