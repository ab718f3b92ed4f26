/** Reason why a body was given up before it was complete. */
export type DropReason = "no-room" | "too-slow";

/** Body that is being received. Its sender is unverified until the body is complete. */
export interface UnfinishedBody {
  /** Reserves memory for another chunk. If memory is short, this body itself may be given up. */
  readonly grow: (bytes: number) => void;
  /** Releases the memory: the body is complete, or its sender disconnected. May be called again. */
  readonly done: () => void;
}

export interface UnfinishedBodiesNeeds {
  /**
   * Memory for all small bodies together, in bytes; all large bodies share the same amount again. By default
   * {@link ROOM_BYTES}.
   */
  readonly roomBytes?: number;
  /** Time limit of a body in milliseconds; by default {@link BODY_MS}. */
  readonly bodyMs?: number;
  readonly time: MonotonicTime;
}

/** Monotonic clock in milliseconds, with a timer. */
export interface MonotonicTime {
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => void;
}

/** Clock of the machine. Its timers run after pending socket data, because that data may complete a body in time. */
export const MACHINE_TIME: MonotonicTime = {
  now: () => performance.now(),
  after: (ms, run) => void setTimeout(() => setImmediate(run), ms).unref(),
};

const KIB = 1024;
const ROOM_BYTES = 16 * KIB * KIB;
/**
 * Time limit of a body. The platform waits ten seconds at most, and needs a moment for a few KB: the other half remains
 * for storing. By its older guide it waits only three seconds. A body that a slow proxy delivers after that is useful,
 * too: its events are stored, and the repeated delivery is recognised.
 */
const BODY_MS = 5_000;
const SWEEP_EVERY_MS = 500;
/** Memory of a request besides its bytes: socket, parser, headers. Counting it also limits the number of bodies. */
const BODY_COST = 16 * KIB;
/** Memory of a chunk besides its bytes: a body that arrives byte by byte takes many times its size. */
const CHUNK_COST = 256;
/** Limits of a small body, in bytes: its announced size, and its memory including the overhead. */
const SMALL_BYTES = 64 * KIB;
const SMALL_COST = 128 * KIB;

/**
 * Reserves memory for the bodies that are being received.
 *
 * Anyone can send bodies, and a signature can be verified only once the body is complete. If memory is short, the
 * oldest body is given up: the platform sends a body at once, so the oldest is the least likely to be a delivery. Small
 * and large bodies have separate memory, so that large ones, which are rarely deliveries, can't displace small ones.
 * Each body has a time limit.
 */
export class UnfinishedBodies {
  readonly #time: MonotonicTime;
  readonly #bodyMs: number;
  readonly #small: Room;
  readonly #large: Room;
  #isSweeping = false;

  constructor({ roomBytes = ROOM_BYTES, bodyMs = BODY_MS, time }: UnfinishedBodiesNeeds) {
    this.#time = time;
    this.#bodyMs = bodyMs;
    this.#small = new Room(roomBytes);
    this.#large = new Room(roomBytes);
  }

  /**
   * Registers a body.
   *
   * @param announced Announced size in bytes; 0 if unknown.
   * @param drop Called at most once, when the body is given up.
   */
  begin(announced: number, drop: (why: DropReason) => void): UnfinishedBody {
    const since = this.#time.now();
    const member: Member = { since, cost: BODY_COST, drop };
    let room = announced > SMALL_BYTES ? this.#large : this.#small;
    room.enter(member);
    this.#sweepLater();
    return {
      grow: (bytes) => {
        if (!room.has(member)) return;
        const cost = member.cost + bytes + CHUNK_COST;
        if (room === this.#small && cost > SMALL_COST) {
          room.leave(member);
          room = this.#large;
          room.enter(member);
        }
        room.grow(member, cost);
      },
      done: () => room.leave(member),
    };
  }

  /** Number of unfinished bodies. */
  count(): number {
    return this.#small.size + this.#large.size;
  }

  #sweepLater(): void {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    this.#time.after(SWEEP_EVERY_MS, () => {
      this.#isSweeping = false;
      const oldest = this.#time.now() - this.#bodyMs;
      this.#small.dropSince(oldest);
      this.#large.dropSince(oldest);
      if (this.count() > 0) this.#sweepLater();
    });
  }
}

interface Member {
  readonly since: number;
  readonly drop: (why: DropReason) => void;
  cost: number;
}

/** Limited memory for bodies. If it is full, the oldest body is dropped. */
class Room {
  readonly #maxBytes: number;
  readonly #members = new Set<Member>();
  #cost = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#members.size;
  }

  has(member: Member): boolean {
    return this.#members.has(member);
  }

  enter(member: Member): void {
    this.#members.add(member);
    this.#cost += member.cost;
    this.#makeRoom();
  }

  grow(member: Member, cost: number): void {
    if (!this.#members.has(member)) return;
    this.#cost += cost - member.cost;
    member.cost = cost;
    this.#makeRoom();
  }

  leave(member: Member): void {
    if (this.#members.delete(member)) this.#cost -= member.cost;
  }

  dropSince(oldest: number): void {
    for (const member of this.#members) {
      if (member.since <= oldest) this.#drop(member, "too-slow");
    }
  }

  #makeRoom(): void {
    if (this.#cost <= this.#maxBytes) return;
    for (const member of this.#members) {
      this.#drop(member, "no-room");
      if (this.#cost <= this.#maxBytes) return;
    }
  }

  #drop(member: Member, why: DropReason): void {
    this.leave(member);
    member.drop(why);
  }
}
