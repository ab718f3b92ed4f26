import type { AccountEvent } from "../../events/event.ts";
import { handlesIn } from "../../events/handles.ts";
import type { ChangeGroup } from "../rehearsal/backtest/change-groups.ts";
import type { RuleOutput, TimedOutgoing } from "../rehearsal/backtest/entry-answers.ts";
import { eventText, saidInWords } from "../words/event.ts";
import { eventOf } from "../../runtime/runs.ts";
import type { JournalReader } from "./needs.ts";

/** Example event of a group, in words. */
export interface GroupExample {
  readonly seq: number;
  /** Person and text, such as `@ana: "how much is …"`. */
  readonly said: string;
}

/** Group of events whose output the edit changes in the same way, with handles in place of user ids. */
export interface ReadableGroup extends Omit<ChangeGroup, "seqs"> {
  /** Up to three events of the group, with different texts if possible. */
  readonly examples: readonly GroupExample[];
}

const EXAMPLES_PER_GROUP = 3;

/** Maximum number of groups in one response. */
export const MAX_SHOWN_GROUPS = 20;

/** Reads example events of the largest groups, and replaces user ids by the handles that the events contain. */
export async function readableGroups(
  groups: readonly ChangeGroup[],
  needs: JournalReader,
): Promise<readonly ReadableGroup[]> {
  const readable: ReadableGroup[] = [];
  for (const group of groups.slice(0, MAX_SHOWN_GROUPS))
    readable.push(await readableGroup(group, needs));
  return readable;
}

async function readableGroup(
  { seqs, before, after, ...group }: ChangeGroup,
  needs: JournalReader,
): Promise<ReadableGroup> {
  const events: SeqEvent[] = [];
  for (const seq of seqs) {
    const [row] = await needs.journal({ seq, limit: 1 });
    if (row !== undefined) events.push({ seq, event: eventOf(row) });
  }
  const handles = handlesIn(events.map(({ event }) => event));
  const named = (line: TimedOutgoing): TimedOutgoing => {
    return { ...line, what: withHandle(line, handles) };
  };
  const examples = distinctFirst(events)
    .slice(0, EXAMPLES_PER_GROUP)
    .map(({ seq, event }) => ({ seq, said: saidInWords(event) }));
  return { ...group, before: before.map(named), after: after.map(named), examples };
}

interface SeqEvent {
  readonly seq: number;
  readonly event: AccountEvent;
}

/** Sorts events: events that repeat the text of an earlier event come last. */
function distinctFirst(events: readonly SeqEvent[]): readonly SeqEvent[] {
  const texts = new Set<string | undefined>();
  const [first, repeated]: [SeqEvent[], SeqEvent[]] = [[], []];
  for (const one of events) {
    const text = eventText(one.event);
    (texts.has(text) ? repeated : first).push(one);
    texts.add(text);
  }
  return [...first, ...repeated];
}

/**
 * Returns an output line with the receiver's handle instead of the id: `message to @ana: 9 to 5`. Without a known
 * handle, the id stays.
 */
export function withHandle(
  { what, to }: Pick<RuleOutput, "what" | "to">,
  handles: ReadonlyMap<string, string>,
): string {
  const handle = to === undefined ? undefined : handles.get(to);
  return handle === undefined || to === undefined ? what : what.replace(to, () => handle);
}
