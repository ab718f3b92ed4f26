import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Test files that cost five CPU seconds or more on a busy machine, including the processes that they start, or wait for
 * a minute; the most expensive first. `npm test` leaves them to `npm run -s test:slow`, so that it takes minutes; `.ci/run` runs both.
 */
export const SLOW = [
  "test/e2e/packed.test.ts",
  "test/e2e/examples.test.ts",
  "test/runtime/store/sqlite.test.ts",
  "test/client/http/faults.test.ts",
  "test/e2e/odd-folders.test.ts",
  "test/packaging/site/site.test.ts",
  "test/cli/help/examples.test.ts",
  "test/cli/backup-seal.test.ts",
  "test/bots/host.test.ts",
  "test/rehearsal/examples-agree.test.ts",
  "test/e2e/downtime.test.ts",
  "test/e2e/groups.test.ts",
  "test/e2e/streamed-posts.test.ts",
  "test/e2e/found-posts.test.ts",
  "test/e2e/copied-folder.test.ts",
  "test/e2e/delayed-answers.test.ts",
  "test/e2e/store-faults.test.ts",
  "test/outages/outages.test.ts",
  "test/bots/hurts-only-itself.test.ts",
  "test/e2e/bad-bots.test.ts",
  "test/e2e/length-agrees.test.ts",
  "test/first-attempts/first-attempts.test.ts",
  "test/e2e/public-threads.test.ts",
  "test/e2e/secrets-in-outputs.test.ts",
  "test/e2e/chaos.test.ts",
  "test/cli/dev/start-dev.test.ts",
  "test/e2e/backup-of-dev.test.ts",
  "test/runtime/runs/handlers/every-call.test.ts",
  "test/rules/compile/whole-project.test.ts",
  "test/e2e/dev.test.ts",
  "test/chat-sdk/chat-sdk.test.ts",
  "test/e2e/two-instances.test.ts",
  "test/docs/walked.test.ts",
  "test/docs/bot-modules.test.ts",
  "test/e2e/bot-conversation.test.ts",
  "test/e2e/examples-of-search-and-ads.test.ts",
  "test/e2e/kill.test.ts",
  "test/packaging/source-launcher.test.ts",
  "test/testing/bot-authors.test.ts",
  "test/e2e/example-bots.test.ts",
  "test/e2e/loops.test.ts",
  "test/bots/loading/late-bots.test.ts",
  "test/bots/loading/compiled-modules.test.ts",
  "test/bots/reload.test.ts",
  "test/e2e/order.test.ts",
  "test/runtime/outbox/gate/shared-budgets.test.ts",
  "test/runtime/runs/parallel/crashes.test.ts",
  "test/cli/explain/problems.test.ts",
  "test/outages/lies.test.ts",
  "test/rehearsal/examples-on-live-shapes.test.ts",
  "test/cli/check/modules.test.ts",
  "test/e2e/edited-posts.test.ts",
  "test/runtime/store/model.test.ts",
  "test/e2e/skewed-clock.test.ts",
  "test/runtime/runs/conversation.test.ts",
  "test/e2e/reload.test.ts",
  "test/e2e/machine-faults.test.ts",
  "test/runtime/store/postgres.test.ts",
  "test/e2e/side-by-side.test.ts",
  "test/cli/commands/bot/bot-commands.test.ts",
  "test/runtime/control/server.test.ts",
  "test/interface/published.test.ts",
  "test/runtime/store/backup-names.test.ts",
  "test/client/types.test.ts",
  "test/e2e/cut-link.test.ts",
  "test/e2e/bot-authoring.test.ts",
  "test/console/traces.test.ts",
  "test/console/answer-by-hand.test.ts",
  "test/console/without-runtime.test.ts",
  "test/cli/commands/bot/same-bot.test.ts",
  "test/runtime/unsteady-platform.test.ts",
  "test/e2e/action-results.test.ts",
  "test/runtime/telemetry/traces.test.ts",
  "test/runtime/store/postgres/schema.test.ts",
  "test/e2e/held-behind-retry.test.ts",
  "test/e2e/move.test.ts",
  "test/console/other-users.test.ts",
  "test/runtime/store/move/refused.test.ts",
  "test/testing/lab.test.ts",
  "test/e2e/escalations.test.ts",
  "test/run/run.test.ts",
  "test/e2e/public-questions.test.ts",
  "test/rules/compile/hostile.test.ts",
  "test/e2e/hanging-store.test.ts",
  "test/bots/client.test.ts",
  "test/runtime/store/presence.test.ts",
  "test/console/rules.test.ts",
  "test/rehearsal/backtest/as-the-runtime.test.ts",
  "test/runtime/store/backup.test.ts",
  "test/runtime/store/postgres/durability.test.ts",
  "test/e2e/pausing.test.ts",
  "test/e2e/going-live.test.ts",
  "test/runtime/store/move/broken-off.test.ts",
  "test/simulation/simulate.test.ts",
  "test/cli/commands/bot/stopped.test.ts",
  "test/cli/commands/bot/init.test.ts",
  "test/bots/own-package.test.ts",
  "test/e2e/ambiguous-sends.test.ts",
  "test/e2e/outage.test.ts",
  "test/runtime/telemetry/alerts.test.ts",
  "test/rules/index/state-index.test.ts",
  "test/console/sign-in.test.ts",
  "test/e2e/runs-together.test.ts",
  "test/runtime/runs/restraints/opt-out.test.ts",
  "test/house/printed-commands.test.ts",
  "test/runtime/runs/runs.test.ts",
  "test/sandbox/control/kill.test.ts",
  "test/e2e/keeping-limits.test.ts",
  "test/cli/written-files.test.ts",
  "test/runtime/webhook/strangers.test.ts",
  "test/cli/commands/bot/silence.test.ts",
  "test/console/chat.test.ts",
  "test/e2e/schedules.test.ts",
  "test/cli/hostile-output.test.ts",
  "test/e2e/answers.test.ts",
  "test/e2e/live-shaped.test.ts",
  "test/e2e/backup.test.ts",
  "test/cli/mcp/assistant.test.ts",
  "test/cli/commands/rules/test-command.test.ts",
  "test/runtime/store/kill.test.ts",
  "test/console/frame.test.ts",
  "test/host/changed-modules.test.ts",
  "test/host/roles/shared.test.ts",
  "test/runtime/runs/called-rules.test.ts",
  "test/runtime/live-accounts.test.ts",
  "test/e2e/activity-interface.test.ts",
  "test/cli/commands/rules/looking-back.test.ts",
  "test/cli/doctor/machine-checks.test.ts",
  "test/console/first-minutes.test.ts",
  "test/client/whole-interface.test.ts",
  "test/e2e/lost-store.test.ts",
  "test/console/delivery-portal.test.ts",
  "test/console/conversations.test.ts",
  "test/runtime/store/open.test.ts",
  "test/console/events.test.ts",
  "test/runtime/outbox/outbox.test.ts",
  "test/runtime/runs/restraints/quiet-hours.test.ts",
  "test/console/all-pages.test.ts",
  "test/cli/dev/starter-gone.test.ts",
  "test/traces/outcome/unanswered-bot.test.ts",
  "test/console/api-data.test.ts",
  "test/console/live.test.ts",
  "test/host/roles/on-postgres.test.ts",
  "test/console/docs.test.ts",
  "test/console/picture.test.ts",
  "test/console/faults.test.ts",
  "test/console/five-questions.test.ts",
  "test/runtime/runs/parallel/ends.test.ts",
  "test/console/outbox-log.test.ts",
  "test/runtime/runs/repeats.test.ts",
  "test/console/open-command.test.ts",
  "test/runtime/runs/bot-conversation.test.ts",
  "test/cli/commands/platform/login-browser.test.ts",
  "test/console/without-sandbox.test.ts",
  "test/e2e/polling.test.ts",
  "test/runtime/runs/answered-by-hand.test.ts",
  "test/console/sandbox-pages.test.ts",
];

/** Slow files that each run in a separate process: they load the machine, or test their own process. */
export const APART = [
  "test/{chaos,crash,hostile,postgres}/**/*.test.ts",
  "test/sandbox/fuzz/**/*.test.ts",
];

/** Runs the slowest files first, so that no CPU core is idle at the end of a test run. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = SLOW.filter((file) => !existsSync(file));
    if (gone.length > 0) throw new Error(`no such test any more: ${gone.join(", ")}`);
    const { shuffle, seed } = this.ctx.config.sequence;
    // `--sequence.shuffle.tests` draws the order of files, too.
    if (shuffle) return shuffled(files, seed);
    const rest = await super.sort(files);
    return rest.toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Returns the files in a random order that depends on the seed and the files only. */
function shuffled(files: readonly TestSpecification[], seed: number): TestSpecification[] {
  const draw = ({ moduleId }: TestSpecification): string =>
    createHash("sha256").update(`${seed} ${moduleId}`).digest("hex");
  return files.toSorted((a, b) => (draw(a) < draw(b) ? -1 : 1));
}

function rank({ moduleId }: TestSpecification): number {
  const at = SLOW.findIndex((file) => moduleId.endsWith(`/${file}`));
  return at === -1 ? SLOW.length : at;
}
