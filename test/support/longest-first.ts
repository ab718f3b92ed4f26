import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take ten seconds and more, the longest first; those that judge by real time come when the processes that
 * the first one kills are gone. Without an earlier run to go by, Vitest begins with the
 * largest files, and the longest would go on alone when all others are over.
 */
const LONG = [
  "test/crash/crash.test.ts",
  "test/e2e/packed.test.ts",
  "test/e2e/examples.test.ts",
  "test/e2e/downtime.test.ts",
  "test/e2e/copied-folder.test.ts",
  "test/e2e/machine-faults.test.ts",
  "test/e2e/cut-link.test.ts",
  "test/cli/help/examples.test.ts",
  "test/e2e/dev.test.ts",
  "test/runtime/store/sqlite.test.ts",
  "test/sandbox/fuzz/fuzz.test.ts",
  "test/bots/host.test.ts",
  "test/bots/hurts-only-itself.test.ts",
  "test/e2e/odd-folders.test.ts",
  "test/e2e/store-faults.test.ts",
  "test/cli/check/modules.test.ts",
  "test/console/traces.test.ts",
  "test/console/rules.test.ts",
  "test/runtime/runs/parallel/ends.test.ts",
  "test/runtime/runs/handlers/every-call.test.ts",
  "test/runtime/roles/shared.test.ts",
  "test/e2e/kill.test.ts",
  "test/e2e/bot-conversation.test.ts",
  "test/e2e/polling.test.ts",
  "test/e2e/order.test.ts",
  "test/hostile/hostile.test.ts",
  "test/e2e/loops.test.ts",
  "test/rehearsal/backtest/as-the-runtime.test.ts",
  "test/docs/bot-modules.test.ts",
  "test/cli/dev/start-dev.test.ts",
  "test/chat-sdk/chat-sdk.test.ts",
];

/** Begins with the files that take longest, so that no core idles at the end. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = LONG.filter((file) => !existsSync(file));
    if (gone.length > 0) throw new Error(`no such test any more: ${gone.join(", ")}`);
    const { shuffle, seed } = this.ctx.config.sequence;
    // `--sequence.shuffle.tests` draws the order of files, too.
    if (shuffle) return shuffled(files, seed);
    const rest = await super.sort(files);
    return rest.toSorted((a, b) => rank(a) - rank(b));
  }
}

/** The order that a seed draws: the same for the same files. */
function shuffled(files: readonly TestSpecification[], seed: number): TestSpecification[] {
  const draw = ({ moduleId }: TestSpecification): string =>
    createHash("sha256").update(`${seed} ${moduleId}`).digest("hex");
  return files.toSorted((a, b) => (draw(a) < draw(b) ? -1 : 1));
}

function rank({ moduleId }: TestSpecification): number {
  const at = LONG.findIndex((file) => moduleId.endsWith(`/${file}`));
  return at === -1 ? LONG.length : at;
}
