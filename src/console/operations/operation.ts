import type * as z from "zod";
import type { ConsoleNeeds } from "../console-needs.ts";

/** An operation of the console's server for the page. */
export interface Operation<Request extends z.ZodType, Answer> {
  readonly request: Request;
  readonly answer: (needs: ConsoleNeeds, request: z.output<Request>) => Answer | Promise<Answer>;
}

/** Type of any operation in a table; `request` is the schema that validates the request before the call. */
export interface AnyOperation {
  readonly request: z.ZodType;
  readonly answer: (needs: never, request: never) => unknown;
}

/** Creates an operation, whose request is validated before it is answered. */
export function operation<Request extends z.ZodType, Answer>(
  request: Request,
  answer: Operation<Request, Answer>["answer"],
): Operation<Request, Answer> {
  return { request, answer };
}

/** Error of a request that can't be fulfilled, with a message for the person. `status` is the response's. */
export class OperationError extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.name = "OperationError";
    this.status = status;
  }
}
