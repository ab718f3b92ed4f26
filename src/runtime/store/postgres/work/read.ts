import type { AnswerCounts } from "../../in-mind/answer-counts.ts";
import { runIdParts } from "../../run.ts";
import type { Statements } from "../database.ts";
import { StatementValues } from "../params.ts";
import { ITEM } from "../tables/columns.ts";
import type { Found } from "./found.ts";
import type { AllowedWork } from "./operation.ts";

/** What decides which rows are needed, beside the changes themselves. */
export interface ReadParts {
  readonly limits: AnswerCounts;
  /** Whether the store was brought back from a backup: then it matters when things arrived. */
  readonly isRestored: boolean;
}

/** Reads all that the changes go by, in one statement. */
export async function readFor(
  tx: Statements,
  { commits, changes }: AllowedWork,
  { limits, isRestored }: ReadParts,
): Promise<Found> {
  const params = new StatementValues();
  const texts = (values: Iterable<string>): string => params.add([...new Set(values)], "text[]");
  const numbers = (values: Iterable<number>): string =>
    params.add([...new Set(values)], "bigint[]");
  const parts = new Map<keyof Found, string>();

  const inputs = commits.flatMap(({ input, partition }) =>
    input.kind === "inbox" ? [{ partition, seq: input.id }] : [],
  );
  if (inputs.length > 0) {
    const given = params.table("g", { partition: "int", seq: "bigint" }, inputs);
    parts.set(
      "inputs",
      `SELECT i.seq, i.partition, i.lane, i.attempts FROM ${given} JOIN inputs AS i USING (partition, seq)`,
    );
  }
  const timers = commits.flatMap(({ input }) => (input.kind === "timer" ? [input.id] : []));
  if (timers.length > 0) {
    parts.set("timers", `SELECT id, due_at FROM timers WHERE id = ANY (${texts(timers)})`);
  }

  const items = itemsNeeded(commits, changes, { texts, numbers });
  if (items !== undefined) parts.set("items", items);
  const runs = runsNeeded(commits, params, { texts, items });
  if (runs !== undefined) parts.set("runs", runs);

  const queued = commits.flatMap((one) => one.items);
  if (queued.length > 0) {
    const given = params.table("g", { key: "text", account: "text" }, queued);
    parts.set(
      "itemKeys",
      `SELECT i.key, i.account FROM ${given} JOIN items AS i USING (key, account)`,
    );
  }
  const keys = [
    ...commits.flatMap(({ state }) => state.map(({ key }) => key)),
    ...queued.flatMap(({ unless }) => unless?.key ?? []),
    ...limits.stateKeys(queued),
  ];
  if (keys.length > 0) {
    parts.set(
      "states",
      `SELECT key, value, version, expires_at FROM state WHERE key = ANY (${texts(keys)})`,
    );
  }
  const lanes = commits
    .filter(({ silencedBy }) => silencedBy !== undefined)
    .map(({ lane }) => lane);
  if (lanes.length > 0) {
    const scopes = texts([...lanes, ...lanes.map(accountOf)]);
    parts.set(
      "silences",
      `SELECT id, silent_in FROM escalations WHERE silences AND silent_in = ANY (${scopes}) ORDER BY id`,
    );
  }
  const asked = commits.flatMap(({ escalations = [] }) => escalations.map(({ key }) => key));
  if (asked.length > 0) {
    parts.set("escalations", `SELECT key FROM escalations WHERE key = ANY (${texts(asked)})`);
  }
  const unknown = [...limits.unknown(queued)].map(([lane, most]) => ({ lane, most }));
  if (unknown.length > 0) {
    const given = params.table("g", { lane: "text", most: "int" }, unknown);
    parts.set(
      "answers",
      `SELECT g.lane, a.action, a.counted_at, a.heard FROM ${given} CROSS JOIN LATERAL (
         SELECT i.action, i.counted_at, i.heard, i.id FROM items AS i WHERE i.lane = g.lane
         ORDER BY i.id DESC LIMIT g.most) AS a ORDER BY g.ord, a.id DESC`,
    );
  }
  if (isRestored && queued.length > 0) {
    const seqs = numbers(queued.map(({ seq }) => seq));
    parts.set("arrivals", `SELECT seq, at FROM journal WHERE seq = ANY (${seqs})`);
  }
  if (queued.length > 0) {
    parts.set(
      "ids",
      `SELECT nextval('item_id') AS id FROM generate_series(1, ${params.add(queued.length, "int")})`,
    );
  }
  return read(tx, parts, params);
}

async function read(
  tx: Statements,
  parts: ReadonlyMap<keyof Found, string>,
  params: StatementValues,
): Promise<Found> {
  const columns = [...parts].map(
    ([name, sql]) => `(SELECT json_agg(t) FROM (${sql}) AS t) AS "${name}"`,
  );
  const [row] =
    columns.length === 0
      ? []
      : await tx.query<{ readonly [Name in keyof Found]?: Found[Name] | null }>(
          `SELECT ${columns.join(", ")}`,
          params.values,
        );
  const ids: unknown = row?.ids ?? [];
  return {
    inputs: row?.inputs ?? [],
    timers: row?.timers ?? [],
    runs: row?.runs ?? [],
    items: row?.items ?? [],
    itemKeys: row?.itemKeys ?? [],
    states: row?.states ?? [],
    silences: row?.silences ?? [],
    escalations: row?.escalations ?? [],
    answers: row?.answers ?? [],
    arrivals: row?.arrivals ?? [],
    ids: (ids as readonly { readonly id: number }[]).map(({ id }) => id),
  };
}

interface Places {
  readonly texts: (values: Iterable<string>) => string;
  readonly numbers: (values: Iterable<number>) => string;
}

/** Items that are changed by themselves, given up with their run, or cleared from their lane. */
function itemsNeeded(
  commits: AllowedWork["commits"],
  changes: AllowedWork["changes"],
  { texts, numbers }: Places,
): string | undefined {
  const withdrawn = commits.flatMap((one) => one.withdrawn ?? []);
  const cleared = commits.filter((one) => one.clearsLane !== undefined).map(({ lane }) => lane);
  const wanted = [
    ...(changes.length > 0 ? [`i.id = ANY (${numbers(changes.map(({ id }) => id))})`] : []),
    ...(withdrawn.length > 0
      ? [
          `(i.seq = ANY (${numbers(withdrawn.map((id) => runIdParts(id)[0]))}) AND i.run = ANY (${texts(withdrawn)}) AND o.id IS NOT NULL)`,
        ]
      : []),
    ...(cleared.length > 0
      ? [`i.id IN (SELECT c.id FROM open_items AS c WHERE c.lane = ANY (${texts(cleared)}))`]
      : []),
  ];
  if (wanted.length === 0) return undefined;
  return wanted.map((where) => `${ITEMS} WHERE ${where}`).join(" UNION ");
}

function runsNeeded(
  commits: AllowedWork["commits"],
  params: StatementValues,
  { texts, items }: { readonly texts: Places["texts"]; readonly items: string | undefined },
): string | undefined {
  const ids = commits.flatMap(({ input, runs }) => [
    ...runs.filter(({ version }) => version > 0).map(({ id }) => id),
    ...(input.kind === "effect" ? [input.run] : []),
  ]);
  const offered = commits.filter(({ offeredTo }) => offeredTo !== undefined);
  const slots = commits.flatMap(({ slots: seen = [], runs }) => [
    ...seen.map(({ slot }) => slot),
    ...runs.flatMap(({ slot }) => slot ?? []),
  ]);
  const ending = endingRuns(commits);
  const parts: string[] = [];
  if (ids.length > 0) {
    const rows = [...new Set(ids)].map((id) => {
      const [seq, owner] = runIdParts(id);
      return { seq, owner };
    });
    const given = params.table("g", { seq: "bigint", owner: "text" }, rows);
    parts.push(`SELECT ${RUN} FROM ${given} JOIN runs AS r USING (seq, owner) ${TIMER}`);
  }
  if (offered.length > 0) {
    const lanes = texts(offered.map(({ lane }) => lane));
    parts.push(
      `SELECT ${RUN} FROM runs AS r ${TIMER} WHERE r.listens = 1 AND r.lane = ANY (${lanes})`,
    );
  }
  if (slots.length > 0) {
    parts.push(
      `SELECT ${RUN} FROM runs AS r ${TIMER} WHERE r.slot IS NOT NULL AND r.status IN ('ready', 'waiting')
         AND r.slot = ANY (${texts(slots)})`,
    );
  }
  if (ending.length > 0) {
    const given = params.table("e", { seq: "bigint", owner: "text" }, ending);
    parts.push(
      `SELECT ${RUN} FROM runs AS r ${TIMER} WHERE r.slot IS NOT NULL AND r.status IN ('ready', 'waiting')
         AND r.slot IN (SELECT h.slot FROM ${given} JOIN runs AS h USING (seq, owner))`,
    );
  }
  if (items !== undefined) {
    parts.push(
      `SELECT ${RUN} FROM (${items}) AS k
         JOIN runs AS r ON r.seq = k.seq AND r.owner = substr(k.run, strpos(k.run, '/') + 1) ${TIMER}`,
    );
  }
  return parts.length === 0 ? undefined : parts.join(" UNION ");
}

/** Runs that were there and are over by these changes: what they hold becomes free. */
export function endingRuns(
  commits: AllowedWork["commits"],
): readonly { readonly seq: number; readonly owner: string }[] {
  return commits.flatMap(({ runs }) =>
    runs.flatMap(({ version, status, seq, owner }) =>
      version === 0 || status === "ready" || status === "waiting" ? [] : [{ seq, owner }],
    ),
  );
}

/** The account of a lane. */
export function accountOf(lane: string): string {
  return lane.slice(0, lane.indexOf("/"));
}

const RUN =
  "r.seq, r.owner, r.lane, r.ordinal, r.status, r.waits_for, r.version, r.listens, r.slot, r.queues, t.due_at";
const TIMER = "LEFT JOIN timers AS t ON t.id = r.waits_for AND r.queues = 1";

const ITEMS = `SELECT ${ITEM}, i.counted_at, i.heard FROM items AS i LEFT JOIN open_items AS o ON o.id = i.id`;
