import {
  type RunnerTask,
  type RunnerTaskResultPack,
  type RunnerTestFile,
  TestRunner,
  type VitestTestRunner,
} from "vitest";
import { type Need, NEEDS } from "./needs.ts";

declare module "vitest" {
  interface TaskMeta {
    /** Requirement of the test that this machine lacks: "need a browser (set CHROMIUM_PATH)". */
    notRun?: string;
  }
}

const needs = new Map<string, Need>(Object.entries(NEEDS));
const notes = new Map<string, Promise<string | undefined>>();

/** Skips tests that need something that this machine lacks. A note at each skipped test names the requirement. */
export default class NeedsRunner extends TestRunner {
  /** Callback that Vitest sets on each runner. It reports the states of tests. */
  declare onTaskUpdate?: VitestTestRunner["onTaskUpdate"];

  async onCollected(files: RunnerTestFile[]): Promise<void> {
    const skipped: RunnerTask[] = [];
    for (const file of files) await leaveOut(file, skipped);
    // Vitest has already reported these tests as collected, so their new state is reported here.
    const packs = skipped.map(({ id, result, meta }): RunnerTaskResultPack => [id, result, meta]);
    if (packs.length > 0) await this.onTaskUpdate?.(packs, []);
  }
}

/**
 * Marks the tests of a task as skipped if this machine lacks something that they need.
 *
 * @param skipped Receives the skipped tests.
 * @returns Whether all tests of the task are skipped.
 */
async function leaveOut(task: RunnerTask, skipped: RunnerTask[]): Promise<boolean> {
  if (task.mode !== "run") return true;
  if (task.type === "suite") {
    let isEmpty = true;
    for (const child of task.tasks) if (!(await leaveOut(child, skipped))) isEmpty = false;
    if (isEmpty && task.tasks.length > 0) task.mode = "skip";
    return isEmpty;
  }
  const note = await missingFor(task.tags ?? []);
  if (note === undefined) return false;
  task.mode = "skip";
  task.result = { state: "skip" };
  task.meta.notRun = note;
  skipped.push(task);
  return true;
}

async function missingFor(tags: readonly string[]): Promise<string | undefined> {
  for (const tag of tags) {
    const need = needs.get(tag);
    if (need === undefined) continue;
    // Each worker checks a need only once.
    const noteForTag = notes.get(tag) ?? noteOf(need);
    notes.set(tag, noteForTag);
    const note = await noteForTag;
    if (note !== undefined) return note;
  }
  return undefined;
}

async function noteOf({ what, missing }: Need): Promise<string | undefined> {
  const how = await missing();
  return how === undefined ? undefined : `need ${what} (${how})`;
}
