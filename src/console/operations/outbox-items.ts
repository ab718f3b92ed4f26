import { describeAction } from "../../actions/actions.ts";
import { handlesIn } from "../../events/handles.ts";
import { OPERATIONS, journalQuery } from "../../runtime/control.ts";
import { operatorOf } from "../../runtime/records.ts";
import type { Answers } from "../../runtime/vocabulary.ts";
import { readableEvent } from "../../insight/traces/find-event.ts";
import { operation } from "./operation.ts";
import { runtimeOf } from "./runtime-operations.ts";

/** An outbox item with its action in one line: `message to @ana: hello`. */
export type ReadItem = Answers["outbox"][number] & {
  readonly inWords: string;
  /** Name of the operator who wrote the item by hand. Absent: a rule or a bot queued the item. */
  readonly operator?: string;
};

/** Maximum number of journal events that are read to replace user ids by handles. */
const MAX_EVENTS = 1_000;

/** Returns outbox items, newest first, each with its action in one line. */
export const outboxItems = operation(
  OPERATIONS.outbox.request,
  async (needs, request): Promise<readonly ReadItem[]> => {
    const { handlers } = runtimeOf(needs);
    const items = await handlers.outbox(request);
    const seqs = items.map(({ seq }) => seq);
    const [first, last] = [Math.min(...seqs), Math.max(...seqs)];
    const limit = Math.min(MAX_EVENTS, last - first + 1);
    const entries =
      items.length === 0
        ? []
        : await handlers.journal(journalQuery.parse({ before: last + 1, limit }));
    const handles = handlesIn(entries.flatMap((entry) => readableEvent(entry) ?? []));
    return items.map((item) => {
      const operator = operatorOf(item);
      const inWords = describeAction(item.action, handles);
      return { ...item, inWords, ...(operator !== undefined && { operator }) };
    });
  },
);
