/** Neither outbox nor platform: what a handler asks of them is not answered. */
export const NOBODY_ANSWERS = {
  outcome: <T>(): Promise<T> => new Promise<T>(() => {}),
  ask: <T>(): Promise<T> => new Promise<T>(() => {}),
  dialect: "post",
  clientOver: () => undefined,
} as const;
