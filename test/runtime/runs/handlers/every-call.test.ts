import { describe, expect, it } from "vitest";
import type { EffectPerformer } from "../../../../src/runtime/runs/effect.ts";
import { modelPlace } from "../../../simulation/store/model-place.ts";
import { handlersOf, loaded } from "../handlers-at-work.ts";
import { type Story, tell, type Told } from "../walk.ts";
import { type Call, CALLS, REFUSED, STATE_KEYS } from "./calls.ts";
import { botWith, CUT_OFF, type Position, POSITIONS } from "./positions.ts";

const ask: EffectPerformer["ask"] = async (_effect, { method }) => {
  const data =
    method === "GET" ? { id: "200", username: "ana", name: "Ana" } : { id: "9", text: "once" };
  return { ok: true, status: 200, body: { data } };
};

function storyOf(call: Call, position: Position): Story {
  const bot = botWith(call, position);
  return {
    bots: [loaded(bot)],
    handle: handlersOf(bot),
    ask,
    script: ["hi"],
    texts: [],
    runs: [],
    escalations: 0,
    state: STATE_KEYS,
    tickMs: 600_000,
  };
}

/** Number of writes before the handler is called: the message in the journal, and the start of its run. */
const WRITES_BEFORE = 2;

type End = Omit<Told, "writeCount">;

/** Returns the allowed outcomes of a call at a position, wherever the process ends. */
function endsOf(call: Call, { isInStep, isAtMostOnce }: Position): readonly End[] {
  const isRefused = call.refused === (isInStep ? "in steps" : "beside steps");
  const { says = [], keeps = {}, handsOver = 0, leavesAtOnce } = call;
  const end = (gives: string, effects: Pick<End, "texts" | "escalations" | "state">): End => {
    const texts = [...effects.texts, `${gives}, then awake`];
    return { ...effects, texts, keys: texts.length, runs: ["done"] };
  };
  const none = { texts: [], escalations: 0, state: {} };
  if (isRefused) return [end(REFUSED, none), ...(isAtMostOnce ? [end(CUT_OFF, none)] : [])];
  const all = { texts: says, escalations: handsOver, state: keeps };
  if (isAtMostOnce !== true) return [end(call.gives, all)];
  const cutOff =
    leavesAtOnce === true ? [end(CUT_OFF, none), end(CUT_OFF, all)] : [end(CUT_OFF, none)];
  return [end(call.gives, all), ...cutOff];
}

/**
 * Plays a conversation that makes the call, once for each write after which the process can end. Returns the outcomes
 * that are not allowed.
 */
async function wrongIn(call: Call, position: Position): Promise<readonly unknown[]> {
  const story = storyOf(call, position);
  const ends = endsOf(call, position);
  const wrong: unknown[] = [];
  const tried = async (writes: number): Promise<number> => {
    const { writeCount, ...end } = await tell(story, await modelPlace(), writes);
    const [whole] = ends;
    const allowed = writes === Infinity ? [whole] : ends;
    const isRight = allowed.some(
      (one) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(end)),
    );
    if (!isRight) wrong.push(JSON.stringify({ call: call.name, writes, end, allowed }));
    return writeCount;
  };
  const writeCount = await tried(Infinity);
  // the writes before a handler starts do not depend on its calls, so one call is enough to test them
  for (let writes = call === CALLS[0] ? 1 : WRITES_BEFORE; writes <= writeCount; writes += 1)
    await tried(writes);
  return wrong;
}

function sorted(end: End | undefined): unknown {
  return end && Object.entries(end).toSorted(([a], [b]) => a.localeCompare(b));
}

describe("every call of a handler's context, with the process ended after every write", () => {
  it.each(POSITIONS)(
    "continues and has its effect once: $name",
    async (position) => {
      const wrong = [];
      for (const call of CALLS) wrong.push(...(await wrongIn(call, position)));
      expect(wrong).toEqual([]);
    },
    120_000,
  );
});
