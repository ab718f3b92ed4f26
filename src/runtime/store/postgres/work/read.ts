import { type AnswerCounts, receiverIn } from "../../in-memory/answer-counts.ts";
import type { NewItem } from "../../item.ts";
import { isTakenUpAgain } from "../../machine/items.ts";
import { accountOf } from "../../partition.ts";
import { ANSWERED_ELSEWHERE } from "../../restored.ts";
import { runIdParts } from "../../run.ts";
import { listed, only } from "../../tables/columns.ts";
import { INPUTS, ITEMS, RUNS, STATE } from "../../tables/tables.ts";
import type { Statements } from "../database.ts";
import { StatementValues } from "../params.ts";
import { isNotPaused, WHOLE_ITEM } from "../tables/columns.ts";
import { type Found, FOUND_INPUT, FOUND_RUN, FOUND_TIMER } from "./found.ts";
import type { AllowedWork } from "./operation.ts";

/** Reads all rows that the changes depend on, in one statement. */
export async function readFor(
  tx: Statements,
  { commits, changes }: AllowedWork,
  limits: AnswerCounts,
): Promise<Found> {
  const params = new StatementValues();
  const places: Places = {
    params,
    texts: (values) => params.add([...new Set(values)], "text[]"),
    numbers: (values) => params.add([...new Set(values)], "bigint[]"),
  };
  const items = itemsNeeded(commits, changes, places);
  const queued = commits.flatMap((one) => one.items);
  const parts: Record<keyof Found, string | undefined> = {
    inputs: inputsNeeded(commits, places),
    timers: timersNeeded(commits, places),
    items,
    runs: runsNeeded(commits, places, items),
    states: statesNeeded(commits, limits, places),
    silences: silencesNeeded({ commits, changes }, places),
    escalations: escalationsNeeded(commits, places),
    blocked: blockedNeeded(commits, places),
    answers: answersNeeded(limits.unknown(queued), places),
    itemKeys: undefined,
    arrivals: arrivalsNeeded(queued, changes, places),
    ids: undefined,
    ...(queued.length > 0 && queueNeeds(queued, places)),
  };
  return read(tx, parts, params);
}

/** Functions that add values to the statement and return their placeholders. */
interface Places {
  readonly params: StatementValues;
  readonly texts: (values: Iterable<string>) => string;
  readonly numbers: (values: Iterable<number>) => string;
}

type Commits = AllowedWork["commits"];

function inputsNeeded(commits: Commits, { params }: Places): string | undefined {
  const inputs = commits.flatMap(({ input, partition }) =>
    input.kind === "inbox" ? [{ partition, seq: input.id }] : [],
  );
  if (inputs.length === 0) return undefined;
  const table = params.rows(only(INPUTS.postgres, "partition", "seq"), inputs);
  return `SELECT ${listed(FOUND_INPUT, "i")} FROM ${table} JOIN inputs AS i USING (partition, seq)`;
}

function timersNeeded(commits: Commits, { texts }: Places): string | undefined {
  const timers = commits.flatMap(({ input }) => (input.kind === "timer" ? [input.id] : []));
  if (timers.length === 0) return undefined;
  return `SELECT ${listed(FOUND_TIMER)} FROM timers WHERE id = ANY (${texts(timers)})`;
}

/** Selects the times of the events that new and requeued items answer, if another store answered. */
function arrivalsNeeded(
  queued: readonly NewItem[],
  changes: AllowedWork["changes"],
  { numbers }: Places,
): string | undefined {
  const requeued = changes.filter(isTakenUpAgain).map(({ id }) => id);
  const wanted = [
    ...(queued.length > 0 ? [`j.seq = ANY (${numbers(queued.map(({ seq }) => seq))})`] : []),
    ...(requeued.length > 0
      ? [`j.seq IN (SELECT r.seq FROM items AS r WHERE r.id = ANY (${numbers(requeued)}))`]
      : []),
  ];
  if (wanted.length === 0) return undefined;
  return `SELECT j.seq, j.at, m.value AS answered FROM meta AS m JOIN journal AS j ON ${wanted.join(" OR ")}
    WHERE m.name = '${ANSWERED_ELSEWHERE}'`;
}

/** Returns queries for existing items with the same keys, and for ids of new items. */
function queueNeeds(
  queued: readonly NewItem[],
  { params }: Places,
): Pick<Record<keyof Found, string>, "itemKeys" | "ids"> {
  const table = params.rows(only(ITEMS, "key", "account"), queued);
  return {
    itemKeys: `SELECT i.key, i.account FROM ${table} JOIN items AS i USING (key, account)`,
    ids: `SELECT nextval('item_id') AS id FROM generate_series(1, ${params.add(queued.length, "int")})`,
  };
}

function statesNeeded(
  commits: Commits,
  limits: AnswerCounts,
  { texts }: Places,
): string | undefined {
  const queued = commits.flatMap((one) => one.items);
  const keys = [
    ...commits.flatMap(({ state }) => state.map(({ key }) => key)),
    ...queued.flatMap(({ unless }) => unless?.key ?? []),
    ...limits.stateKeys(queued),
  ];
  if (keys.length === 0) return undefined;
  return `SELECT ${listed(STATE)} FROM state WHERE key = ANY (${texts(keys)})`;
}

function silencesNeeded({ commits, changes }: AllowedWork, { texts }: Places): string | undefined {
  const lanes = [
    ...commits.filter(({ silencedBy }) => silencedBy !== undefined).map(({ lane }) => lane),
    ...changes.flatMap(({ ends }) => ends?.run.lane ?? []),
  ];
  if (lanes.length === 0) return undefined;
  const scopes = texts([...lanes, ...lanes.map(accountOf)]);
  return `SELECT id, silent_in FROM escalations WHERE silences AND silent_in = ANY (${scopes}) ORDER BY id`;
}

/** Selects the lanes, among those in which a transition wants to send, that have an unsettled item or are paused. */
function blockedNeeded(commits: Commits, { texts }: Places): string | undefined {
  const lanes = commits.filter(({ sends }) => sends !== undefined).map(({ lane }) => lane);
  if (lanes.length === 0) return undefined;
  return `SELECT l.lane FROM unnest(${texts(lanes)}) AS l (lane)
    WHERE NOT ${isNotPaused("l")}
      OR EXISTS (SELECT 1 FROM open_items AS o WHERE o.lane = l.lane AND o.status <> 'held')`;
}

function escalationsNeeded(commits: Commits, { texts }: Places): string | undefined {
  const keys = commits.flatMap(({ escalations = [] }) => escalations.map(({ key }) => key));
  if (keys.length === 0) return undefined;
  return `SELECT key FROM escalations WHERE key = ANY (${texts(keys)})`;
}

/** @param unknown People whose answers are not cached, with the number of answers to read for each. */
function answersNeeded(
  { people, most }: ReturnType<AnswerCounts["unknown"]>,
  { params }: Places,
): string | undefined {
  if (people.length === 0) return undefined;
  const rows = people.map(({ lane, to }) => ({ lane, person: to, receiver: receiverIn(to) }));
  const table = params.table("g", { lane: "text", person: "text", receiver: "text" }, rows);
  return `SELECT g.lane, g.person, a.action, a.counted_at, a.heard
    FROM ${table} CROSS JOIN LATERAL (
      SELECT i.action, i.counted_at, i.heard, i.id FROM items AS i
      WHERE i.lane = g.lane AND i.counted_at IS NOT NULL AND strpos(i.action, g.receiver) > 0
      ORDER BY i.id DESC LIMIT ${params.add(most, "int")}) AS a ORDER BY g.ord, a.id DESC`;
}

async function read(
  tx: Statements,
  parts: Readonly<Record<keyof Found, string | undefined>>,
  params: StatementValues,
): Promise<Found> {
  const columns = Object.entries(parts).flatMap(([name, sql]) =>
    sql === undefined ? [] : [`(SELECT json_agg(t) FROM (${sql}) AS t) AS "${name}"`],
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
    blocked: row?.blocked ?? [],
    ids: (ids as readonly { readonly id: number }[]).map(({ id }) => id),
  };
}

/** Selects items that are changed directly, withdrawn with their run, or cleared from their lane. */
function itemsNeeded(
  commits: Commits,
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
  return wanted.map((where) => `${WHOLE_ITEMS} WHERE ${where}`).join(" UNION ");
}

function runsNeeded(
  commits: Commits,
  { params, texts }: Places,
  items: string | undefined,
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
    const table = params.rows(RUN_KEY, rows);
    parts.push(`SELECT ${RUN} FROM ${table} JOIN runs AS r USING (seq, owner) ${TIMER}`);
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
    const table = params.table("e", { seq: "bigint", owner: "text" }, ending);
    parts.push(
      `SELECT ${RUN} FROM runs AS r ${TIMER} WHERE r.slot IS NOT NULL AND r.status IN ('ready', 'waiting')
         AND r.slot IN (SELECT h.slot FROM ${table} JOIN runs AS h USING (seq, owner))`,
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

/** Returns stored runs that these changes end. Their slots become free. */
export function endingRuns(
  commits: Commits,
): readonly { readonly seq: number; readonly owner: string }[] {
  return commits.flatMap(({ runs }) =>
    runs.flatMap(({ version, status, seq, owner }) =>
      version === 0 || status === "ready" || status === "waiting" ? [] : [{ seq, owner }],
    ),
  );
}

const RUN_KEY = only(RUNS, "seq", "owner");
const RUN = `${listed(FOUND_RUN, "r")}, t.due_at`;
const TIMER = "LEFT JOIN timers AS t ON t.id = r.waits_for AND r.queues = 1";

const WHOLE_ITEMS = `SELECT ${WHOLE_ITEM}, i.partition FROM items AS i LEFT JOIN open_items AS o ON o.id = i.id`;
