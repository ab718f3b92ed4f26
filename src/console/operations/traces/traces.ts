import { dirname, join, relative, resolve } from "node:path";
import * as z from "zod";
import { isExistingFile } from "../../../system/files/missing-file.ts";
import { writeNewFile } from "../../../system/files/own-file.ts";
import { TRACE_OUTCOMES } from "../../../insight/traces/outcome/outcome-words.ts";
import type { JournalReader } from "../../../insight/traces/needs.ts";
import type { Trace } from "../../../insight/traces/trace.ts";
import { findEvent } from "../../../insight/traces/find-event.ts";
import { type RunAgain, runAgain as runAgainOf } from "../../../insight/traces/run-again.ts";
import { traceToShare } from "../../../insight/traces/shared-trace.ts";
import { type TracePage, traceRows } from "../../../insight/traces/rows.ts";
import { saveAsTest } from "../../../insight/traces/as-test/save-as-test.ts";
import { sharedPage } from "../../../insight/traces/shared-page.ts";
import { traceOf } from "../../../insight/traces/trace-of.ts";
import { operation, OperationError, showUsageErrors } from "../operation.ts";
import { runtimeOf } from "../runtime-operations.ts";
import { traceNeeds } from "./trace.ts";
import { operand, shell } from "../../../text/shell.ts";

/** Returns a page of events with their outcomes, newest first. */
export const traces = operation(
  z.strictObject({
    before: z.number().exactOptional(),
    limit: z.int().min(1).max(500).exactOptional(),
    outcomes: z.array(z.enum(TRACE_OUTCOMES)).exactOptional(),
    rule: z.string().exactOptional(),
    person: z.string().exactOptional(),
    text: z.string().exactOptional(),
  }),
  async (needs, query): Promise<TracePage> => traceRows(await traceNeeds(runtimeOf(needs)), query),
);

/** Runs an event, or a copy of it with another text, through the current rules. Nothing is sent. */
export const runAgain = operation(
  z.strictObject({ of: z.string().min(1), text: z.string().max(10_000).exactOptional() }),
  async (needs, { of, text }): Promise<RunAgain> => {
    const reading = await traceNeeds(runtimeOf(needs));
    return runAgainOf(reading, await showUsageErrors(findEvent(reading, of)), text);
  },
);

/** Journal numbers of the events before and after an event in its lane (conversation). Absent: there is none. */
export interface Neighbours {
  readonly earlier?: number;
  readonly later?: number;
}

/** Number of the lane's latest events that are searched for the next event. Beyond them, none is found. */
const LATEST = 200;

/** Returns the events directly before and after an event in its lane (conversation). */
export const neighbours = operation(
  z.strictObject({ seq: z.int() }),
  async (needs, { seq }): Promise<Neighbours> =>
    neighboursOf(await traceNeeds(runtimeOf(needs)), seq),
);

/** Finds the events directly before and after the event `seq` in its lane. */
export async function neighboursOf(stored: JournalReader, seq: number): Promise<Neighbours> {
  const [row] = await stored.journal({ seq });
  if (row === undefined) return {};
  const { account, lane } = row;
  const [earlier] = await stored.journal({ account, lane, before: seq, limit: 1 });
  const latest = await stored.journal({ account, lane, limit: LATEST });
  const later = latest[latest.findIndex((one) => one.seq === seq) - 1];
  return {
    ...(earlier !== undefined && { earlier: earlier.seq }),
    ...(later !== undefined && { later: later.seq }),
  };
}

/** Returns a trace without personal data, as an HTML file for sharing. */
export const sharedTrace = operation(
  z.strictObject({
    of: z.string().min(1),
    /** Whether the file includes texts of people and of the bot. */
    texts: z.boolean(),
  }),
  async (needs, { of, texts }): Promise<{ readonly html: string }> => {
    const trace = await showUsageErrors(traceOf(await traceNeeds(runtimeOf(needs)), of));
    return { html: sharedPage(traceToShare(trace, { texts })) };
  },
);

/** A test that was saved: its file, and the command that runs it. */
export interface TestOnDisk {
  readonly name: string;
  /** Path of the test file, relative to the project. */
  readonly path: string;
  readonly text: string;
  readonly command: string;
  readonly anyText: boolean;
}

/** Creates a test that reproduces an event, and saves it in a new file beside the rules. */
export const saveTest = operation(
  z.strictObject({ of: z.string().min(1) }),
  async (needs, { of }): Promise<TestOnDisk> => {
    const runtime = runtimeOf(needs);
    const reading = await traceNeeds(runtime);
    const trace = await showUsageErrors(traceOf(reading, of));
    const folder = folderOf(trace);
    // The path comes from a stored trace, so it is not trusted: write only into a folder that contains rule files.
    if (!(await runtime.readRules()).some(({ path: file }) => dirname(file) === folder)) {
      throw new OperationError(`there is no rule file in ${folder}`, 404);
    }
    const path = join(folder, `trace-${trace.event.seq}.test.yaml`);
    const { text, name, anyText } = await showUsageErrors(saveAsTest(reading, trace, { path }));
    const file = resolve(runtime.base, path);
    await writeNewFile(dirname(file), file, text).catch((error: unknown) => {
      if (!isExistingFile(error)) throw error;
      throw new OperationError(`${path} exists already; rename it, or remove it`, 409);
    });
    const shown = relative(runtime.base, file);
    return { name, path: shown, text, command: shell`answerback test ${operand(shown)}`, anyText };
  },
);

/** Returns the folder of the first rule that ran, or else of the first rule that was evaluated. */
function folderOf({ verdicts, decision, event }: Trace): string {
  const one = verdicts.find(({ ruleId }) => decision.ran.includes(ruleId)) ?? verdicts[0];
  if (one !== undefined) return dirname(one.at.file);
  throw new OperationError(`no rule listens to event ${event.seq}, so there is nothing to test`);
}
