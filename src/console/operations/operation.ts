import type * as z from "zod";
import type { ConsoleNeeds } from "../console-needs.ts";

/** Something that the page asks the console's server for. */
export interface Operation<Request extends z.ZodType, Answer> {
  readonly request: Request;
  readonly answer: (needs: ConsoleNeeds, request: z.output<Request>) => Answer | Promise<Answer>;
}

/** An operation of a table, whose request has been checked by it. */
export interface AnyOperation {
  readonly request: z.ZodType;
  readonly answer: (needs: never, request: never) => unknown;
}

/** An entry of the table of operations: its request is checked before it is answered. */
export function operation<Request extends z.ZodType, Answer>(
  request: Request,
  answer: Operation<Request, Answer>["answer"],
): Operation<Request, Answer> {
  return { request, answer };
}

/** A request that can't be fulfilled, in a sentence for who asked. `status` is the response's. */
export class OperationError extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.name = "OperationError";
    this.status = status;
  }
}
