import * as z from "zod";
import type { Mistake } from "../problem.ts";

export const text = z.string().min(1, "this is empty");

export const NO_PORT = "not a port: ports go from 0 to 65535";
const PORTS = {
  error: NO_PORT,
  params: { help: "write a port that is free, as in: 127.0.0.1:8080" },
};

export const listen = z
  .string()
  .regex(
    /^(?:\[[0-9a-fA-F:.]+\]|[^\s:]+):\d{1,5}$/,
    'not a place to listen at: write host:port, as "127.0.0.1:8080"',
  )
  .refine(hasPort, PORTS);

/** Handle of an account, with or without `@`. */
export const HANDLE = /^@?\w+$/;
export const HANDLE_FORM = 'letters, digits and underscores only, as "hello_bot"';

/** Map by the handle of an account. Two keys can't be handles of the same account. */
export function byHandle<T extends z.ZodType>(value: T): z.ZodRecord<z.ZodString, T> {
  return z.record(text.meta({ pattern: HANDLE.source }), value).superRefine((accounts, context) => {
    const keys = new Map<string, string>();
    for (const key of Object.keys(accounts)) {
      const handle = key.replace(/^@/, "").toLowerCase();
      const other = keys.get(handle);
      keys.set(handle, key);
      if (HANDLE.test(key) && other === undefined) continue;
      const [message, help] = HANDLE.test(key)
        ? [
            `"${key}" is the same account as "${other}"`,
            "write it once, with all that belongs to it",
          ]
        : [`${JSON.stringify(key)} is not a handle`, `write ${HANDLE_FORM}`];
      const params = { code: "invalid-value", help, part: "key" };
      context.addIssue({ code: "custom", path: [key], message, params });
    }
  });
}

/** Mistake of a value. Its code is `invalid-value` by default. */
export type ValueMistake = Omit<Mistake, "code"> & Partial<Pick<Mistake, "code">>;

/** Returns a check for `superRefine`, which reports the mistake that `find` returns for a value, if any. */
export function reporting(
  find: (value: string) => ValueMistake | undefined,
): (value: string, context: z.RefinementCtx) => void {
  return (value, context) => {
    const mistake = find(value);
    if (mistake === undefined) return;
    const { code = "invalid-value", message, help } = mistake;
    context.addIssue({ code: "custom", message, params: { code, help } });
  };
}

/** Whether the port of `host:port`, if it has one, is at most 65535. */
export function hasPort(value: string): boolean {
  const port = /:(\d+)$/.exec(value)?.[1];
  return port === undefined || Number(port) <= 65_535;
}
