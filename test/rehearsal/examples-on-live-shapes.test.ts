import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "lossless-json";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccountEvent } from "../../src/events/event.ts";
import { activityDeliveries } from "../../src/events/read/activity-delivery.ts";
import { translate } from "../../src/events/translate.ts";
import { entryOf, Rehearsal } from "../../src/insight/rehearsal/rehearsal.ts";
import { explain } from "../../src/rules/decide/decide.ts";
import { benchOf, type OpenBench } from "../../src/insight/tests/bench-of.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SHAPES = new URL("../fixtures/live-shapes/", import.meta.url);
/** The account that received the fixtures. */
const ACCOUNT = { id: "1849003112750628864", username: "kiosk_bot" };
/** Situations in which a post neither types the account's handle nor answers a post of the account. */
const NOT_ADDRESSED = new Set(["reply", "longform-reply", "picture-tag"]);
const UNREACHABLE = {
  kind: "unreachable",
  message: "not reachable",
  sent: "no",
  ended: "connection",
  safe: true,
} as const;
const DAY_MS = 86_400_000;

interface Project {
  readonly name: string;
  readonly ruleFiles: readonly string[];
  readonly botFiles: readonly string[];
}

const projects = await Promise.all([
  projectIn(ROOT, "this project"),
  ...(await readdir(join(ROOT, "examples"), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => projectIn(join(ROOT, "examples", name), name)),
]).then((all) => all.filter((one) => one.ruleFiles.length + one.botFiles.length > 0));

async function projectIn(folder: string, name: string): Promise<Project> {
  const filesIn = async (path: string, ending: string): Promise<readonly string[]> => {
    const names = await readdir(join(folder, path)).catch((): string[] => []);
    const wanted = names.filter((one) => one.endsWith(ending) && !one.endsWith(`.test${ending}`));
    return wanted.map((one) => join(folder, path, one));
  };
  const [ruleFiles, botFiles] = [filesIn("config/rules", ".yaml"), filesIn("bots", ".ts")];
  return { name, ruleFiles: await ruleFiles, botFiles: await botFiles };
}

interface Shape {
  readonly shape: string;
  readonly events: readonly AccountEvent[];
}

const shapes = await Promise.all((await readdir(SHAPES)).map(eventsIn));

async function eventsIn(shape: string): Promise<Shape> {
  const parseNumber = (digits: string): unknown =>
    Number.isSafeInteger(Number(digits)) ? Number(digits) : BigInt(digits);
  const text = await readFile(new URL(shape, SHAPES), "utf8");
  const body: object = Object(parse(text, undefined, { parseNumber }));
  const deliveries = activityDeliveries(body, { usernameOf: () => ACCOUNT.username }) ?? [body];
  const events = deliveries.flatMap((one) => translate(one, 0)).map(({ event }) => event);
  return { shape, events };
}

/** Returns the situation of a file name: `reply` for `reply.classic.post.json`. */
const situationOf = (shape: string): string => shape.split(".")[0] ?? "";

describe.each(projects)("the rules and bots of $name", ({ ruleFiles, botFiles }) => {
  let bench: OpenBench;
  beforeAll(async () => {
    const file = { file: join(ROOT, "test"), ruleFiles, botFiles, startAt: 0, seed: 1, tests: [] };
    const opened = await benchOf(
      { ...file, account: ACCOUNT, limits: {}, secrets: {}, people: new Map() },
      ROOT,
    );
    if (!("ruleset" in opened)) throw new Error(JSON.stringify(opened));
    bench = opened;
  });
  afterAll(() => bench.close());

  it("answer no post that neither names the account nor answers it, and fail on none", async () => {
    /** Numbers of answers by situation. Deliveries of a situation must give the same number in every format. */
    const answers = new Map<string, Set<number>>();
    const arrivals = new Map<string, Came>();
    for (const { shape, events } of shapes) {
      const same = JSON.stringify(events);
      const { sent, faults } = arrivals.get(same) ?? (await cameOf(events, bench));
      arrivals.set(same, { sent, faults });
      expect(faults, shape).toEqual([]);
      const situation = situationOf(shape);
      answers.set(situation, (answers.get(situation) ?? new Set()).add(sent));
    }

    expect([...answers].filter(([, counts]) => counts.size > 1)).toEqual([]);
    for (const situation of NOT_ADDRESSED) {
      expect([...(answers.get(situation) ?? [])], situation).toEqual([0]);
    }
  });
});

/** Outcome of a delivery. */
interface Came {
  /** Number of messages and posts that were sent. */
  readonly sent: number;
  readonly faults: readonly string[];
}

/** Plays one delivery and a day of virtual time after it, without earlier state. */
async function cameOf(
  events: readonly AccountEvent[],
  { ruleset, ...bench }: OpenBench,
): Promise<Came> {
  const faults: string[] = [];
  let sent = 0;
  const byKey = new Map(events.map((event) => [event.key, event]));
  const startAt = Math.max(...events.map(({ at }) => at));
  const rehearsal = await Rehearsal.open({
    ...bench,
    ruleset,
    performer: {
      ...bench.performer,
      ask: async (_effect, { endpoint }) => ({ ok: false, fault: { ...UNREACHABLE, endpoint } }),
      request: async () => ({ ok: false, code: "http-unreachable", error: "not reachable" }),
    },
    account: ACCOUNT,
    startAt,
    eventOf({ key }) {
      const event = byKey.get(key);
      if (event === undefined) throw new Error(`no event ${key}`);
      return event;
    },
    secretsOf: () => ({}),
    watch: {
      onTakenIn(happened) {
        if (happened.kind !== "effect-settled" || !("error" in happened.outcome)) return;
        const { error } = happened.outcome;
        if (error !== undefined) faults.push(JSON.stringify(error));
      },
      onSent: () => void (sent += 1),
      onFault: (message) => void faults.push(message),
    },
  });
  try {
    for (const event of events) {
      const unclear = explain(event, ruleset, { now: startAt })
        .filter(({ reason }) => reason === "expression-error")
        .map(({ ruleId }) => `${ruleId} could not be evaluated`);
      faults.push(...unclear);
      await rehearsal.deliver(entryOf(event, startAt, "{}"));
    }
    await rehearsal.advanceTo(startAt + DAY_MS);
    return { sent, faults };
  } finally {
    await rehearsal.close();
  }
}
