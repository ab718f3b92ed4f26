import { settlesWithin } from "../../system/time/settles-within.ts";
import { ComeAgain } from "../source.ts";

/**
 * Holds deliveries of an account back while older events of the account are being read, so that a person's next message
 * does not overtake a missed one.
 */
export interface DeliveryGate {
  /**
   * Holds each delivery of `account` back for up to {@link HOLD_MS}. A delivery that has waited so long is refused, and
   * the platform repeats it. {@link REFUSE_MS} after the first held delivery, all deliveries pass: the reading takes
   * too long, or the connection is lost.
   *
   * @param at Milliseconds since the epoch: events up to this time may have been missed.
   */
  close(account: string, at: number): void;
  /**
   * Closes the gate of `account` until everything up to `at` has been read. To be called when such a reading begins. If
   * the gate is closed and lets deliveries pass, it goes on to let them pass.
   */
  awaitReading(account: string, at: number): void;
  /**
   * Ends the holding of deliveries of `account`, unless the gate was closed for a later time.
   *
   * @param upTo Milliseconds since the epoch up to which everything has been read; absent: everything.
   */
  open(account: string, upTo?: number): void;
  /**
   * Lets deliveries of `account` pass although older events may be missing. To be called when these events can't be
   * read soon, for example because of a rate limit.
   *
   * @param isReading Whether a reading is still under way. If not, the next delivery requests another one.
   */
  letThrough(account: string, isReading?: boolean): void;
  /**
   * Resolves when the delivery may pass; returns `undefined` if it may pass at once.
   *
   * @throws {ComeAgain} when the delivery has waited for {@link HOLD_MS}, so that the platform repeats it.
   */
  pass(delivery: object): Promise<unknown> | undefined;
}

/**
 * Longest wait of a delivery, in real milliseconds. It is below the platform's shortest documented timeout for a
 * delivery: three seconds in its older guide, ten in the newer one.
 */
export const HOLD_MS = 2_000;

/**
 * Real milliseconds from the first held delivery for which deliveries are refused. The platform repeats a delivery
 * after 3 and 27 seconds.
 */
export const REFUSE_MS = 20_000;

export interface DeliveryGateNeeds {
  /** Real milliseconds: `performance.now()`. */
  readonly monotonic: () => number;
  /** Milliseconds since the epoch, by the platform's clock. */
  readonly now: () => number;
  /**
   * Called when a delivery reaches the closed gate of its account, which proves that the platform's deliveries arrive.
   * Not called again for later deliveries, which miss nothing, until one of them was refused.
   */
  readonly onKnock: (account: string) => void;
  /** Called when a delivery passed before the account's older events were read. */
  readonly onLetThrough: (account: string) => void;
}

interface ClosedGate {
  readonly opened: Promise<void>;
  readonly open: () => void;
  /** Time up to which events may have been missed. */
  at: number;
  /** Whether a delivery has requested a reading, which will open the gate. */
  isAsked: boolean;
  /** Real time at which the first delivery was held. */
  heldSince?: number;
  /** Whether deliveries pass although older events were not read. */
  inVain: boolean;
}

/** Creates a gate that is open for all accounts. */
export function deliveryGate(needs: DeliveryGateNeeds): DeliveryGate {
  const { monotonic, now, onKnock, onLetThrough } = needs;
  const closed = new Map<string, ClosedGate>();
  const hold = async (account: string, gate: ClosedGate): Promise<void> => {
    const arrivedAt = now();
    gate.heldSince ??= monotonic();
    if (await settlesWithin(HOLD_MS, gate.opened)) return;
    if (!gate.inVain && monotonic() - gate.heldSince < REFUSE_MS) {
      // The refused delivery comes again after later ones, so its event has to be read, too.
      gate.at = Math.max(gate.at, arrivedAt);
      gate.isAsked = false;
      throw new ComeAgain("older events are being read first");
    }
    gate.inVain = true;
    onLetThrough(account);
  };
  const closeUpTo = (account: string, at: number): ClosedGate => {
    const before = closed.get(account);
    if (before !== undefined) return Object.assign(before, { at });
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    const gate = { opened, open, at, isAsked: false, inVain: false };
    closed.set(account, gate);
    return gate;
  };
  return {
    close(account, at) {
      Object.assign(closeUpTo(account, at), { isAsked: false, inVain: false });
    },
    awaitReading: (account, at) => void closeUpTo(account, at),
    open(account, upTo = Infinity) {
      const gate = closed.get(account);
      if (gate === undefined || upTo < gate.at) return;
      gate.open();
      closed.delete(account);
    },
    letThrough(account, isReading = false) {
      const gate = closed.get(account);
      if (gate !== undefined) Object.assign(gate, { isAsked: isReading, inVain: true });
    },
    pass(delivery) {
      if (closed.size === 0 || !("for_user_id" in delivery)) return undefined;
      const account = String(delivery.for_user_id);
      const gate = closed.get(account);
      if (gate === undefined) return undefined;
      if (!gate.isAsked) {
        gate.isAsked = true;
        onKnock(account);
      }
      if (gate.inVain) {
        onLetThrough(account);
        return undefined;
      }
      return hold(account, gate);
    },
  };
}
