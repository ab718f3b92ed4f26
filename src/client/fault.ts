import * as z from "zod";
import { UsageError } from "../errors.ts";
import {
  CredentialError,
  PlatformError,
  ProtocolError,
  RateLimitError,
  type Refusal,
  UnreachableError,
} from "./errors.ts";

/** Schemas of the client's errors as plain data, which can be stored and sent between worker threads. */

const text = z.string().optional();
const number = z.number().optional();
const common = { message: z.string(), hint: text };

const problem = z.object({
  message: text,
  title: text,
  detail: text,
  type: text,
  code: z.union([z.number(), z.string()]).optional(),
  parameter: text,
  value: text,
  resourceId: text,
  resourceType: text,
});

const refusal = z.object({
  endpoint: z.string(),
  status: z.number(),
  reason: text,
  title: text,
  detail: text,
  type: text,
  v1Code: number,
  adsCode: text,
  problems: z.array(problem),
  retryAfterMs: number,
  accessLevel: text,
  transactionId: text,
  afterUnknown: z.boolean(),
});

/** The schema of {@link ClientFault}. */
export const clientFault = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("refused"), ...common, refusal, safe: z.boolean() }),
  z.object({ kind: z.literal("limited"), ...common, refusal, resetAt: number }),
  z.object({
    kind: z.literal("unreachable"),
    ...common,
    endpoint: z.string(),
    sent: z.enum(["no", "maybe"]),
    ended: z.enum(["connection", "timeout", "caller"]),
    safe: z.boolean(),
  }),
  z.object({
    kind: z.literal("protocol"),
    ...common,
    endpoint: z.string(),
    status: z.number(),
  }),
  z.object({
    kind: z.literal("credentials"),
    ...common,
    takes: z.array(z.enum(["bearer", "oauth1", "oauth2"])).optional(),
  }),
  z.object({ kind: z.literal("usage"), ...common, retryable: z.boolean().optional() }),
]);

/** Error of the client as plain data. */
export type ClientFault = z.infer<typeof clientFault>;

/** Converts an error to plain data; undefined if it is not an error of the client. */
export function faultOfClient(error: unknown): ClientFault | undefined {
  if (error instanceof RateLimitError) {
    const { refusal: platformRefusal, resetAt } = error;
    return { kind: "limited", ...said(error), refusal: plain(platformRefusal), resetAt };
  }
  if (error instanceof PlatformError) {
    const safe = error.executed === "no";
    return { kind: "refused", ...said(error), refusal: plain(error.refusal), safe };
  }
  if (error instanceof UnreachableError) {
    const { endpoint, sent, ended, retryable: safe } = error;
    return { kind: "unreachable", ...said(error), endpoint, sent, ended, safe };
  }
  if (error instanceof ProtocolError) {
    const { endpoint, status } = error;
    return { kind: "protocol", ...said(error), endpoint, status };
  }
  if (error instanceof CredentialError) {
    const takes = error.takes && [...error.takes];
    return { kind: "credentials", ...said(error), ...(takes && { takes }) };
  }
  if (error instanceof UsageError) {
    return { kind: "usage", ...said(error), ...(error.retryable && { retryable: true }) };
  }
  return undefined;
}

/** Converts plain data back to an error of the client. */
export function errorOfFault(fault: ClientFault): Error {
  const { message, hint } = fault;
  switch (fault.kind) {
    case "refused":
      return new PlatformError(message, whole(fault.refusal), { hint, safe: fault.safe });
    case "limited":
      return new RateLimitError(message, whole(fault.refusal), { hint, resetAt: fault.resetAt });
    case "unreachable":
      return new UnreachableError(message, { ...fault, hint });
    case "protocol":
      return new ProtocolError(message, { ...fault, hint });
    case "credentials":
      return new CredentialError(message, { hint, ...(fault.takes && { takes: fault.takes }) });
    case "usage":
      return new UsageError(message, { hint, retryable: fault.retryable === true });
  }
}

function said({ message, hint }: { readonly message: string; readonly hint: string | undefined }) {
  return { message, hint };
}

function plain({ problems, limits: _limits, ...refusalFields }: Refusal): z.infer<typeof refusal> {
  return { ...refusalFields, problems: [...problems] };
}

function whole(plainRefusal: z.infer<typeof refusal>): Refusal {
  return {
    reason: undefined,
    title: undefined,
    detail: undefined,
    type: undefined,
    v1Code: undefined,
    adsCode: undefined,
    retryAfterMs: undefined,
    accessLevel: undefined,
    transactionId: undefined,
    ...plainRefusal,
    limits: undefined,
  };
}
