import type { Log } from "../../runtime/log.ts";
import { pollLoop } from "../../runtime/loop/poll-loop.ts";
import { LOG_EVERY_MS, throttle } from "../../runtime/loop/throttle.ts";
import type { PresencePort } from "../../runtime/store/presence.ts";
import type { LeasePort } from "../../runtime/store/store.ts";
import { type Colleague, type ProcessNote, readNote } from "./colleague.ts";

/** The running processes of a store, and the notes of each. */
export interface Colleagues {
  /** The name of this process. */
  readonly name: string;
  /** Returns the running processes by name, including this process; as of a second ago. */
  all(): readonly Colleague[];
  /** Returns the leading process; undefined if none leads or this process does. */
  leader(): Colleague | undefined;
  /** Calls `listener` now and after each poll with all processes. */
  onSeen(listener: (all: readonly Colleague[]) => void): () => void;
  /** Returns the time since which the others have listed this process without a break, in monotonic milliseconds. */
  steadySince(): number;
  /** Resolves once the others have read this process's current note, and their answers to it are known here. */
  heard(): Promise<void>;
}

/** The presence of this process, renewed by heartbeats. */
export interface KeptPresence extends Colleagues {
  /** Publishes this process's note now, and reads the notes of the others. */
  look(): Promise<void>;
  /** Publishes it soon. */
  wake(): void;
  /** Publishes this process's note for the last time. */
  stop(): Promise<void>;
}

export interface PresenceNeeds {
  readonly store: PresencePort & Pick<LeasePort, "isShared">;
  readonly name: string;
  /** Returns this process's current note. @param steadySince As {@link Colleagues.steadySince}. */
  readonly note: (steadySince: number) => ProcessNote;
  readonly log: Log;
  /** Real milliseconds between two heartbeats. Default: 1,000. */
  readonly everyMs?: number;
}

/** Real milliseconds between two heartbeats. */
export const LOOK_EVERY_MS = 1_000;
/** Heartbeats that may be missed before the others consider a process gone. */
const LOOKS_MISSED = 5;

/** Announces this process by heartbeats, and lists the other processes. A store that is not shared has no others. */
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
  let colleagues: readonly Colleague[] = [];
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
    // After this long the others have considered this process gone, whatever this heartbeat returns.
    if (performance.now() - heardAt > ttlMs) steadySince = performance.now();
    colleagues = await attend(note(steadySince));
    heardAt = performance.now();
    looks += 1;
    for (const listener of listeners) listener(colleagues);
    const over = waiting.filter(({ after }) => looks >= after);
    waiting = waiting.filter(({ after }) => looks < after);
    for (const { done } of over) done();
  };
  const isAlone = (): boolean => colleagues.every((one) => one.name === name);
  await look();
  const onError = throttle(LOG_EVERY_MS, (error: unknown) =>
    log.error({ err: error }, "it is not known which processes are at work"),
  );
  const loop = pollLoop({ poll: look, everyMs, onError });
  loop.wake();
  let isOver = false;
  return {
    name,
    all: () => colleagues.map((one) => (one.name === name ? { name, ...note(steadySince) } : one)),
    leader: () => colleagues.find((one) => one.name !== name && one.leading !== undefined),
    onSeen(listener) {
      listeners.add(listener);
      listener(colleagues);
      return () => void listeners.delete(listener);
    },
    steadySince: () => steadySince,
    async heard() {
      if (isAlone()) {
        // A process that joins later reads the news with its first heartbeat.
        await look().catch(onError);
        if (isAlone()) return;
      }
      // The first heartbeat publishes the note. The others react within one interval, and the next heartbeat here reads
      // their answer.
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
