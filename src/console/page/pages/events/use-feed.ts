import { useEffect, useRef, useState } from "preact/hooks";
import type { RuntimeEvent } from "../../../../runtime/vocabulary.ts";
import { useLive } from "../../live/live.ts";
import {
  attemptsIn,
  type DeliveryAttempt,
  type FeedRow,
  MAX_ROWS,
  unshown,
  withAttempts,
  withRuntimeEvents,
} from "./rows.ts";

/** Milliseconds for which new rows are collected before they are shown, because each update lays out all rows. */
const TOGETHER_MS = 100;

/** Number of earlier deliveries that are drawn at a time, the newest first. */
const AT_ONCE = 100;

/**
 * Returns the rows of the feed: earlier deliveries, then events as they arrive. While the feed is paused, new rows are
 * collected but not shown, including rows from a repeated `before` request.
 *
 * @param before Latest response to the request for earlier deliveries.
 */
export function useFeed(before: readonly DeliveryAttempt[] | undefined) {
  const [rows, setRows] = useState<readonly FeedRow[]>([]);
  const { add, held, ...news } = useNews((attempts, events) =>
    setRows((last) => withRuntimeEvents(withAttempts(last, attempts), events)),
  );
  const undrawn = useRef<readonly DeliveryAttempt[] | undefined>(undefined);
  useEffect(() => {
    if (before === undefined) return undefined;
    if (held.current && undrawn.current !== undefined) {
      add(unshown(before, rows, undrawn.current), []);
    } else {
      undrawn.current = before.slice(-MAX_ROWS);
    }
    let next: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      const undrawnAttempts = undrawn.current ?? [];
      undrawn.current = undrawnAttempts.slice(0, -AT_ONCE);
      setRows((last) => withAttempts(last, undrawnAttempts.slice(-AT_ONCE)));
      if (undrawn.current.length > 0) next = setTimeout(draw);
    };
    draw();
    return () => clearTimeout(next);
  }, [before]);
  useLive((batch) => add(attemptsIn(batch.sandbox), batch.runtime));
  return { rows, ...news };
}

/** Collects new rows, and passes them to `show` in batches. While the feed is paused, only counts the waiting rows. */
function useNews(
  show: (attempts: readonly DeliveryAttempt[], events: readonly RuntimeEvent[]) => void,
) {
  const [waiting, setWaiting] = useState(0);
  const [isHeld, setHeld] = useState(false);
  const held = useRef(false);
  const attempts = useRef(new Map<number, DeliveryAttempt>());
  const events = useRef<readonly RuntimeEvent[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const look = (): void => {
    timer.current = undefined;
    const latest = [...attempts.current.values()].slice(-MAX_ROWS);
    events.current = events.current.slice(-MAX_ROWS);
    if (held.current) {
      attempts.current = new Map(latest.map((one) => [one.seq, one]));
      setWaiting(latest.length + events.current.length);
      return;
    }
    show(latest, events.current);
    attempts.current = new Map();
    events.current = [];
    setWaiting(0);
  };
  const change = (to: boolean): void => {
    held.current = to;
    setHeld(to);
    if (!to) look();
  };
  return {
    waiting,
    isHeld,
    held,
    /** Adds rows. An attempt that arrives twice, from the event stream and from a request, is added once. */
    add: (tried: readonly DeliveryAttempt[], runtimeEvents: readonly RuntimeEvent[]): void => {
      for (const one of tried) attempts.current.set(one.seq, one);
      events.current = [...events.current, ...runtimeEvents];
      timer.current ??= setTimeout(look, TOGETHER_MS);
    },
    hold: () => change(true),
    letGo: () => change(false),
  };
}
