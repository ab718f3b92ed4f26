import type { Log, LogMethod } from "../../runtime/log.ts";

/** Value of the field `stage` in log lines of runs, which quote what rules and people say. */
const RUNS = "runs";

/**
 * Returns a log in whose lines `advise` has changed the advice to the operator: the messages, and the hints of errors.
 * Lines of runs, bots and actions stay as they are, because they quote texts of other people.
 */
export function advisedLog(log: Log, advise: (advice: string) => string): Log {
  const method =
    (level: "debug" | "info" | "warn" | "error"): LogMethod =>
    (first: string | object, second?: string): void => {
      if (typeof first === "string") log[level](advise(first));
      else if ("bot" in first || "action" in first) log[level](first, second);
      else log[level](advisedFields(first, advise), second === undefined ? second : advise(second));
    };
  return {
    debug: method("debug"),
    info: method("info"),
    warn: method("warn"),
    error: method("error"),
    child: (fields) => {
      const child = log.child(fields);
      return "stage" in fields && fields.stage === RUNS ? child : advisedLog(child, advise);
    },
  };
}

function advisedFields(fields: object, advise: (advice: string) => string): object {
  if (fields instanceof Error) return advisedError(fields, advise);
  const { err }: { readonly err?: unknown } = fields;
  return err instanceof Error ? { ...fields, err: advisedError(err, advise) } : fields;
}

/** Returns an error that differs from `error` in its hint only. */
function advisedError(error: Error, advise: (advice: string) => string): Error {
  if (!("hint" in error) || typeof error.hint !== "string") return error;
  const hint = { value: advise(error.hint), enumerable: true };
  return Object.create(error, { hint });
}
