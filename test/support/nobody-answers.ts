/** Stands in for outbox and platform: requests of handlers get no answer. */
export const NOBODY_ANSWERS = {
  outcome: <T>(): Promise<T> => new Promise<T>(() => {}),
  ask: <T>(): Promise<T> => new Promise<T>(() => {}),
  dialect: "post",
  clientOver: () => undefined,
} as const;
