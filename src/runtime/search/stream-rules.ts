import type { Client } from "../../client/client.ts";
import { PlatformError } from "../../client/errors.ts";
import { whyNotStreamed } from "../../protocol/search-query/operators.ts";

/** Client of the app's filtered stream. */
export type StreamClient = Pick<Client<"bearer">, "filteredStream">;

/** The bot's rules on the filtered stream after a synchronization. */
export interface SyncedRules {
  /** Queries by the id of their rule on the stream. */
  readonly queries: ReadonlyMap<string, string>;
  /** Reasons why the remaining queries have no rule on the stream, by query. */
  readonly refused: ReadonlyMap<string, string>;
  /** Number of the stream's rules that belong to other programs. */
  readonly foreign: number;
}

/** Rules that the bot needs on the filtered stream. */
export interface NeededRules {
  /** Tag of all rules that the bot owns; rules with another tag stay unchanged. */
  readonly tag: string;
  readonly queries: readonly string[];
  /** Whether the bot removes its rules while other programs have rules on the stream. */
  readonly onlyAlone: boolean;
}

/** Adds missing rules of the bot to the filtered stream, and deletes rules of the bot that are no longer needed. */
export async function syncRules(
  { filteredStream }: StreamClient,
  { tag, queries, onlyAlone }: NeededRules,
): Promise<SyncedRules> {
  const own = new Map<string, string>();
  const foreignValues = new Set<string>();
  let foreign = 0;
  for await (const rule of filteredStream.rules()) {
    if (rule.tag === tag) own.set(rule.id, rule.value);
    else foreign += 1;
    if (rule.tag !== tag) foreignValues.add(rule.value);
  }
  const needed = onlyAlone && foreign > 0 ? [] : queries;
  const onStream = new Map([...own].filter(([, value]) => needed.includes(value)));
  const refused = new Map<string, string>();
  const added: string[] = [];
  const existing = new Set(onStream.values());
  for (const query of needed) {
    if (existing.has(query)) continue;
    const why = foreignValues.has(query) ? FOREIGN : whyNotStreamed(query);
    if (why === undefined) added.push(query);
    else refused.set(query, why);
  }
  if (added.length > 0) await add(filteredStream, { tag, added, own }, onStream, refused);
  const ids = [...own.keys()].filter((id) => !onStream.has(id));
  if (ids.length > 0) await filteredStream.deleteRules({ ids });
  return { queries: onStream, refused, foreign };
}

const FOREIGN = "the filtered stream has this query as a rule of another program";

/**
 * Adds rules to the stream. Puts accepted queries into `onStream`, by rule id, and the reasons for refused queries into
 * `refused`, by query.
 */
async function add(
  filteredStream: StreamClient["filteredStream"],
  {
    tag,
    added,
    own,
  }: {
    readonly tag: string;
    readonly added: readonly string[];
    readonly own: ReadonlyMap<string, string>;
  },
  onStream: Map<string, string>,
  refused: Map<string, string>,
): Promise<void> {
  try {
    const { data, errors } = await filteredStream.addRules(added.map((value) => ({ value, tag })));
    for (const { id, value } of data) onStream.set(id, value);
    for (const { id, value, title, detail, details } of errors) {
      if (value === undefined) continue;
      // The bot's rule for this query exists in another spelling, which the comparison above did not recognize.
      if (id !== undefined && own.has(id)) onStream.set(id, value);
      else refused.set(value, details?.[0] ?? detail ?? title);
    }
  } catch (error) {
    if (!(error instanceof PlatformError && error.status === 400)) throw error;
    for (const query of added) refused.set(query, error.message);
  }
}
