import * as z from "zod";
import { type Answers, OPERATIONS } from "./contract.ts";
import type { OperationName } from "./routes.ts";

type AnswerSchemas = { readonly [Name in OperationName]: z.ZodType<Answers[Name]> };
const ANSWERS: { readonly [Name in OperationName]: { readonly answer: AnswerSchemas[Name] } } =
  OPERATIONS;

/**
 * Validates a response of the control server against the contract. Returns the response, or a description of the
 * problem.
 */
export function checkedAnswer<Name extends OperationName>(
  name: Name,
  text: string,
): { readonly answer: Answers[Name] } | { readonly problem: string } {
  const read = ANSWERS[name].answer.safeParse(JSON.parse(text));
  return read.success ? { answer: read.data } : { problem: z.prettifyError(read.error) };
}
