import * as z from "zod";
import { UsageError } from "../../../errors.ts";
import { escalationQuery, itemQuery, journalQuery } from "../../../runtime/control.ts";
import type { TraceNeeds } from "../../../insight/traces/needs.ts";
import { hindrancesOf } from "../../../insight/traces/outcome/hindrances.ts";
import type { Trace } from "../../../insight/traces/trace.ts";
import { traceOf } from "../../../insight/traces/trace-of.ts";
import type { ShownRuntime } from "../../console-needs.ts";
import { operation, OperationError } from "../operation.ts";
import { runtimeOf } from "../runtime-operations.ts";

/** Returns read access to journal, outbox and rules of the runtime, for building traces. */
export async function traceNeeds({
  handlers,
  rules,
  now,
}: ShownRuntime): Promise<TraceNeeds & Pick<ShownRuntime, "now">> {
  const status = await handlers.status({});
  const handles = new Map(status.accounts.map(({ id, username }) => [id, username]));
  return {
    journal: (query) => handlers.journal(journalQuery.parse(query)),
    outbox: (query) => handlers.outbox(itemQuery.parse(query)),
    escalations: (query) => handlers.escalations(escalationQuery.parse(query)),
    ruleset: () => rules.ruleset,
    usernameOf: (account) => handles.get(account),
    hindrances: hindrancesOf(status),
    now,
  };
}

/** Returns the trace of an event. `of` is its number, its key, or `last`. */
export const trace = operation(
  z.strictObject({ of: z.string().min(1) }),
  async (needs, { of }): Promise<Trace> => {
    try {
      return await traceOf(await traceNeeds(runtimeOf(needs)), of);
    } catch (error) {
      if (error instanceof UsageError) throw new OperationError(error.message, 404);
      throw error;
    }
  },
);
