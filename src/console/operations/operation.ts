import type * as z from "zod";
import { UsageError } from "../../errors.ts";
import type { ConsoleNeeds } from "../console-needs.ts";

/** An operation that the page can request from the console's server. */
export interface Operation<Request extends z.ZodType, Answer> {
  readonly request: Request;
  readonly answer: (needs: ConsoleNeeds, request: z.output<Request>) => Answer | Promise<Answer>;
}

/** An operation of any request and response type, as an entry of a table of operations. */
export interface AnyOperation {
  readonly request: z.ZodType;
  readonly answer: (needs: never, request: never) => unknown;
}

/** Creates an operation. Its requests are validated by the schema before `answer` is called. */
export function operation<Request extends z.ZodType, Answer>(
  request: Request,
  answer: Operation<Request, Answer>["answer"],
): Operation<Request, Answer> {
  return { request, answer };
}

/**
 * Error for a request that can't be fulfilled. The page shows its message; `status` is the HTTP status of the response.
 */
export class OperationError extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.name = "OperationError";
    this.status = status;
  }
}

/** Waits for a result. Usage errors become errors that the page shows. */
export async function showUsageErrors<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const hint = error.hint === undefined ? "" : `. ${error.hint}`;
    throw new OperationError(`${error.message}${hint}`);
  }
}
