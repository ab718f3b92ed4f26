/** Why a body was given up before it was whole. */
export type DropReason = "no-room" | "too-slow";

/** A body that is coming in. Who sends it is not known before it is whole. */
export interface UnfinishedBody {
  /** Takes room for a chunk more. The body itself may be given up for that. */
  readonly grow: (bytes: number) => void;
  /** It is whole, or its sender went away. May be called again. */
  readonly done: () => void;
}

export interface UnfinishedBodiesNeeds {
  /** Bytes that the small bodies may hold together, and the large ones. {@link ROOM_BYTES} unless said. */
  readonly roomBytes?: number;
  /** Milliseconds that a body may take. {@link BODY_MS} unless said. */
  readonly bodyMs?: number;
  readonly time: MonotonicTime;
}

/** Time that never goes back, in milliseconds, and a way to be called later. */
export interface MonotonicTime {
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => void;
}

/** The machine's own. Whoever is called later has what sockets brought meanwhile: after a pause a body may be whole. */
export const MACHINE_TIME: MonotonicTime = {
  now: () => performance.now(),
  after: (ms, run) => void setTimeout(() => setImmediate(run), ms).unref(),
};

const KIB = 1024;
const ROOM_BYTES = 16 * KIB * KIB;
/** A delivery is a few KB, from a machine that gives up after ten seconds. */
const BODY_MS = 5_000;
const SWEEP_EVERY_MS = 500;
/** What a request holds besides its bytes: socket, parser, headers. It bounds how many there can be. */
const BODY_COST = 16 * KIB;
/** What a chunk holds besides its bytes: else a body that comes byte by byte would hold many times its size. */
const CHUNK_COST = 256;
/** Above this size, or these costs, a body is large. */
const SMALL_BYTES = 64 * KIB;
const SMALL_COST = 128 * KIB;

/**
 * The bodies that are coming in, and the room for them in memory.
 *
 * Anybody can send them, and a signature can be told from a forged one only when the body is whole. So
 * none of them keeps another out: where room is short, the oldest gives way, since what the platform
 * sends is whole at once. Small and large bodies have a room each, so that large ones, which real
 * deliveries hardly are, can't push out small ones. None may take longer than its time.
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
   * Begins a body.
   *
   * @param announced Bytes that it is said to have; 0 when nothing was said.
   * @param drop Called, at most once, when it is given up.
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

  /** How many there are. */
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

/** Room for so many bytes. Who entered first gives way first. */
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
