/** Stands in for outbox and platform: a bot handler that waits for an item or a request gets no answer. */
export const NOBODY_ANSWERS = {
  outcome: <T>(): Promise<T> => new Promise<T>(() => {}),
  ask: <T>(): Promise<T> => new Promise<T>(() => {}),
  dialect: "post",
  clientOver: () => undefined,
} as const;
