import { clientFault, errorOfFault, faultOfClient } from "../../client/fault.ts";
import { storedClassNamed, storedClassOf } from "../../system/stored-classes.ts";
import { describeThrown } from "../thrown.ts";
import { LateCallError } from "./late-call.ts";
import { plainValue } from "./plain-value.ts";
import type { Json } from "../../protocol/json.ts";
import type { StepEnd, ThrownError } from "./record.ts";
import { RecordError } from "./recorded-calls.ts";

/**
 * Maximum characters of a step's result as JSON. Results are limited, because the whole record is read for each event
 * of the conversation, and is posted to the thread each time the handler runs.
 */
export const MAX_RESULT_CHARACTERS = 100_000;

/** Runs a step's function. Returns its result or error in the stored form, and the original thrown value, if any. */
export async function endOfStep(
  name: string,
  work: () => unknown,
): Promise<{ readonly storedEnd: StepEnd; readonly thrown: unknown }> {
  const what = `the result of ctx.step(${JSON.stringify(name)})`;
  try {
    const value = plainValue(await work(), what, MAX_RESULT_CHARACTERS);
    return { storedEnd: value === undefined ? {} : { value }, thrown: undefined };
  } catch (thrown) {
    return { storedEnd: { error: keptError(thrown) }, thrown };
  }
}

const MAX_MESSAGE_CHARACTERS = 2_000;
/** Maximum number of inner errors of an `AggregateError`. Their own inner errors are not stored. */
const MAX_INNER_ERRORS = 20;
/** Maximum number of errors below each other that are each other's `cause`. */
const MAX_CAUSES = 5;
/** Maximum number of an error's further fields, and of the characters of a field. */
const MAX_FIELDS = 10;
const MAX_FIELD_CHARACTERS = 500;

/** Returns the stored form of a thrown value. */
export function keptError(thrown: unknown): ThrownError {
  const stored = withoutInnerErrors(thrown);
  if (!(thrown instanceof AggregateError) || !Array.isArray(thrown.errors)) return stored;
  const errors = thrown.errors.slice(0, MAX_INNER_ERRORS).map((one) => withoutInnerErrors(one, 1));
  return { ...stored, errors };
}

function withoutInnerErrors(thrown: unknown, causes = MAX_CAUSES): ThrownError {
  if (!(thrown instanceof Error)) {
    const message = describeThrown(thrown).slice(0, MAX_MESSAGE_CHARACTERS);
    return { name: "Error", message, ...valueOf(thrown) };
  }
  // code of the author may have changed the error, or created it with other values
  const fault = clientFault.safeParse(faultOfClient(thrown)).data;
  const ours = fault === undefined ? storedClassOf(thrown) : undefined;
  const [type = ours?.name] =
    Object.entries(CLASSES).find(([, Class]) => thrown instanceof Class) ?? [];
  return {
    name: nameOf(thrown).slice(0, 100),
    // the message may be of any type, because the author's code can set it
    message: describeThrown(thrown.message).slice(0, MAX_MESSAGE_CHARACTERS),
    ...(fault && { fault }),
    ...(type !== undefined && { type }),
    ...(causes > 0 && causeOf(thrown, causes - 1)),
    ...fieldsOf(thrown, ours && ["hint", ...ours.fields]),
  };
}

function causeOf(thrown: Error, causes: number): Pick<ThrownError, "cause"> {
  try {
    const { cause } = thrown;
    return cause === undefined ? {} : { cause: withoutInnerErrors(cause, causes) };
  } catch {
    // code of the error itself has failed
    return {};
  }
}

/** Returns the error's name. A subclass of `Error` that does not set the field is named by its class. */
function nameOf(thrown: Error): string {
  const { name, constructor }: { name: unknown; constructor: unknown } = thrown;
  if (name !== "Error" || typeof constructor !== "function") return describeThrown(name);
  return constructor.name || name;
}

/** Returns a thrown value that is not an error, if it is plain data. */
function valueOf(thrown: unknown): Pick<ThrownError, "value"> {
  try {
    const value = plainValue(thrown, "a thrown value", MAX_MESSAGE_CHARACTERS);
    return value === undefined ? {} : { value };
  } catch {
    return {};
  }
}

/**
 * Returns the simple fields that code has added to an error, such as `code` and `status`. Objects are left out, because
 * libraries add whole requests with their credentials.
 *
 * @param whole Names of the fields that are stored whatever they hold.
 */
function fieldsOf(thrown: Error, whole: readonly string[] = []): Pick<ThrownError, "fields"> {
  try {
    const entries = Object.entries(thrown);
    const fields = entries.filter(
      ([key, field]) =>
        !whole.includes(key) &&
        !["name", "message", "stack", "cause", "errors"].includes(key) &&
        !(key in Error.prototype) &&
        (typeof field === "boolean" ||
          (typeof field === "number" && Number.isFinite(field)) ||
          (typeof field === "string" && field.length <= MAX_FIELD_CHARACTERS)),
    );
    const wholeFields: { readonly [key: string]: Json } = JSON.parse(
      JSON.stringify(Object.fromEntries(entries.filter(([key]) => whole.includes(key)))),
    );
    const all = { ...Object.fromEntries(fields.slice(0, MAX_FIELDS)), ...wholeFields };
    return Object.keys(all).length === 0 ? {} : { fields: all };
  } catch {
    return {};
  }
}

/** Error for an at-most-once step that a crash interrupted. It is unknown whether the step's work was done. */
export class StepCutOffError extends Error {
  override readonly name = "StepCutOffError";
}

/** Returns the stored result for an at-most-once step that was running when its process or thread ended. */
export function cutOff(name: string): StepEnd {
  const message = `ctx.step(${JSON.stringify(name)}) was cut off, and is done at most once: it may have been done, or not`;
  return { error: { name: CUT_OFF, message } };
}

const CUT_OFF = "StepCutOffError";

/**
 * Classes that {@link errorOf} rebuilds, beside those of this package (`storesClass`). The class of any other error is
 * lost when it is stored.
 */
const CLASSES: Readonly<Record<string, new (message?: string) => Error>> = {
  TypeError,
  RangeError,
  SyntaxError,
  ReferenceError,
  URIError,
  EvalError,
  DOMException,
  LateCallError,
  RecordError,
  [CUT_OFF]: StepCutOffError,
};

/**
 * Rebuilds a thrown value from its stored form.
 *
 * @param original The thrown value, if it is known; only its stack is used. The handler must get the same error each
 * time it runs, because it may decide by the error's class or fields.
 */
export function errorOf(stored: ThrownError, original?: unknown): unknown {
  if (stored.value !== undefined) return structuredClone(stored.value);
  const error =
    stored.fault === undefined
      ? newError(stored)
      : Object.assign(errorOfFault(stored.fault), stored.fields, causeFrom(stored));
  const stack = stackOf(original);
  return stack === undefined
    ? error
    : Object.defineProperty(error, "stack", { value: stack, writable: true, configurable: true });
}

function stackOf(thrown: unknown): string | undefined {
  try {
    const stack: unknown = thrown instanceof Error ? thrown.stack : undefined;
    return typeof stack === "string" ? stack : undefined;
  } catch {
    // the stack is created when it is read, by code of the error itself
    return undefined;
  }
}

function causeFrom({ cause }: ThrownError): { readonly cause?: unknown } {
  return cause === undefined ? {} : { cause: errorOf(cause) };
}

function newError(stored: ThrownError): Error {
  const { name, message, type = name, errors, fields } = stored;
  const options = causeFrom(stored);
  if (type === "DOMException") return new DOMException(message, { name, ...options });
  const ours = stored.type === undefined ? undefined : storedClassNamed(stored.type);
  if (ours !== undefined) {
    // the fields replace the work of the constructor, whose parameters are not stored
    const error: Error = Object.setPrototypeOf(new Error(message), ours.prototype);
    return Object.assign(error, fields, { name }, options);
  }
  const Class = CLASSES[type] ?? Error;
  const error = errors
    ? new AggregateError(
        errors.map((one) => errorOf(one)),
        message,
      )
    : new Class(message);
  return Object.assign(error, fields, { name }, options);
}
