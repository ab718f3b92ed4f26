import type { Log } from "../../runtime/log.ts";
import { pollLoop } from "../../runtime/loop/poll-loop.ts";
import { LOG_EVERY_MS, throttle } from "../../runtime/loop/throttle.ts";
import type { PresencePort } from "../../runtime/store/presence.ts";
import type { LeasePort } from "../../runtime/store/store.ts";
import { type Colleague, type ProcessNote, readNote } from "./colleague.ts";

/** Who is at work on the same store, and what each says of itself. */
export interface Colleagues {
  /** The name of this process. */
  readonly name: string;
  /** Those that are at work, this one among them, by name; as of a second ago. */
  all(): readonly Colleague[];
  /** The one that leads, unless it is this one. */
  leader(): Colleague | undefined;
  /** Calls `listener` with all of them each time that they were looked up. */
  onSeen(listener: (all: readonly Colleague[]) => void): () => void;
  /** Monotonic milliseconds since which the others have known without a break that this process is here. */
  steadySince(): number;
  /** Resolves when what each of the others knows by now has been heard here, and they have heard this one. */
  heard(): Promise<void>;
}

/** The presence of this process, kept up. */
export interface KeptPresence extends Colleagues {
  /** Says now what there is to say. */
  look(): Promise<void>;
  /** Says it soon. */
  wake(): void;
  /** Says for the last time what there is to say. */
  stop(): Promise<void>;
}

export interface PresenceNeeds {
  readonly store: PresencePort & Pick<LeasePort, "isShared">;
  readonly name: string;
  /** What this process says of itself now. @param steadySince As {@link Colleagues.steadySince}. */
  readonly note: (steadySince: number) => ProcessNote;
  readonly log: Log;
  /** Real milliseconds between two looks. A second unless said. */
  readonly everyMs?: number;
}

/** Real milliseconds between two looks. */
export const LOOK_EVERY_MS = 1_000;
/** Looks that may fail before the others take a process for gone. */
const LOOKS_MISSED = 5;

/** Says that this process is here, and looks who else is. In a store that is not shared nobody else ever is. */
export async function keepPresence(needs: PresenceNeeds): Promise<KeptPresence> {
  const { store, name, note, log, everyMs = LOOK_EVERY_MS } = needs;
  if (!store.isShared) {
    const since = performance.now();
    return {
      name,
      all: () => [{ name, ...note(since) }],
      leader: () => undefined,
      onSeen: () => () => {},
      steadySince: () => since,
      heard: async () => {},
      look: async () => {},
      wake: () => {},
      stop: async () => {},
    };
  }
  const ttlMs = everyMs * LOOKS_MISSED;
  const listeners = new Set<(all: readonly Colleague[]) => void>();
  let known: readonly Colleague[] = [];
  let heardAt = performance.now();
  let steadySince = heardAt;
  let looks = 0;
  let waiting: { readonly after: number; readonly done: () => void }[] = [];

  const attend = async (said: ProcessNote): Promise<readonly Colleague[]> => {
    const present = await store.attend(name, JSON.stringify(said), ttlMs);
    return present.flatMap(({ process, note: text }) => {
      const read = readNote(text);
      return read === undefined ? [] : [{ name: process, ...read }];
    });
  };
  const look = async (): Promise<void> => {
    // The others have taken it for gone by then, whatever this look brings.
    if (performance.now() - heardAt > ttlMs) steadySince = performance.now();
    known = await attend(note(steadySince));
    heardAt = performance.now();
    looks += 1;
    for (const listener of listeners) listener(known);
    const over = waiting.filter(({ after }) => looks >= after);
    waiting = waiting.filter(({ after }) => looks < after);
    for (const { done } of over) done();
  };
  const isAlone = (): boolean => known.every((one) => one.name === name);
  await look();
  const onError = throttle(LOG_EVERY_MS, (error: unknown) =>
    log.error({ err: error }, "it is not known which processes are at work"),
  );
  const loop = pollLoop({ poll: look, everyMs, onError });
  loop.wake();
  let isOver = false;
  return {
    name,
    all: () => known.map((one) => (one.name === name ? { name, ...note(steadySince) } : one)),
    leader: () => known.find((one) => one.name !== name && one.leading !== undefined),
    onSeen(listener) {
      listeners.add(listener);
      listener(known);
      return () => void listeners.delete(listener);
    },
    steadySince: () => steadySince,
    async heard() {
      if (isAlone()) {
        // Who comes later learns of it at once.
        await look().catch(onError);
        if (isAlone()) return;
      }
      // One look tells them; they act on it within theirs, and the next look here brings what they say then.
      await new Promise<void>((done) => {
        if (isOver) return done();
        waiting.push({ after: looks + 3, done });
        loop.wake();
      });
    },
    look,
    wake: () => loop.wake(),
    async stop() {
      isOver = true;
      await loop.stop();
      for (const { done } of waiting.splice(0)) done();
      await attend(note(steadySince));
    },
  };
}
