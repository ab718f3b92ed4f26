import { useEffect, useRef, useState } from "preact/hooks";
import type { QuestionAnswers, QuestionRequests } from "../../operations/operations.ts";
import { type LiveBatch, missed, useLive } from "../live/live.ts";
import { ask, sandbox } from "./api.ts";

/** State of a request that a component makes. */
export interface LiveAnswer<T> {
  /** Latest response. Absent: no response has arrived yet. */
  readonly value?: T;
  /** Error of the latest request; absent if it succeeded. */
  readonly error?: Error;
  readonly isLoading: boolean;
  /** Sends the request again. */
  readonly again: () => void;
}

/** Milliseconds between an event and the request that it causes; further events in this time cause no request. */
const PAUSE_MS = 250;

/**
 * Sends a request when the component is first shown, when `keys` change, after an event that `concerns` accepts, and
 * after an outage. The previous response is returned until the next one arrives, except when `keys` change.
 */
export function useAsked<T>(
  asking: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
  concerns: (batch: LiveBatch) => boolean = () => false,
): LiveAnswer<T> {
  const [state, setState] = useState<Omit<LiveAnswer<T>, "again">>({ isLoading: true });
  const [turn, setTurn] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const again = (): void => setTurn((last) => last + 1);
  useLive((batch) => {
    if (timer.current !== undefined || !concerns(batch)) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      again();
    }, PAUSE_MS);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  const isOther = useRef("");
  const shown = JSON.stringify(keys);
  useEffect(() => {
    const ending = new AbortController();
    // A response that was complete before the abort still arrives. It may be older than the shown one, so it is
    // ignored.
    const settle: typeof setState = (next) => {
      if (!ending.signal.aborted) setState(next);
    };
    if (isOther.current !== shown) setState({ isLoading: true });
    isOther.current = shown;
    asking(ending.signal).then(
      (value) => settle({ value, isLoading: false }),
      (error: unknown) => {
        const reason = error instanceof Error ? error : new Error(String(error));
        settle((last) => ({ ...last, error: reason, isLoading: false }));
      },
    );
    return () => ending.abort();
  }, [shown, turn, missed.value]);
  return { ...state, again };
}

/** Like {@link useAsked}, for a question to the console's server. */
export function useQuestion<Name extends keyof QuestionRequests>(
  name: Name,
  request: QuestionRequests[Name],
  concerns?: (batch: LiveBatch) => boolean,
): LiveAnswer<QuestionAnswers[Name]> {
  return useAsked((signal) => ask(name, request, signal), [request], concerns);
}

/** Like {@link useAsked}, for a path of the sandbox's control interface. Responses are not validated. */
export function useSandbox<T>(
  path: string,
  concerns?: (batch: LiveBatch) => boolean,
): LiveAnswer<T> {
  return useAsked((signal) => sandbox.get<T>(path, signal), [path], concerns);
}
