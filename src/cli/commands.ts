import type { Command } from "commander";
import type { Io } from "./io.ts";

/** Creates a command that reads its input from an Io and prints to it. */
export type CommandMaker = (io: Io) => Command;

/**
 * All commands by name, grouped by their heading in the help, in the help's order.
 *
 * Only the requested command is loaded. The file of a command imports what the command's help needs. Its action imports
 * all other modules, so that `--help` starts fast too. `status` and `send` import everything at once: the package has
 * each of them in a single file, and each further file would cost a millisecond.
 */
export const COMMANDS: Readonly<
  Record<string, Readonly<Record<string, () => Promise<CommandMaker>>>>
> = {
  "Bots:": {
    init: async () => (await import("./commands/bot/init.ts")).init,
    dev: async () => (await import("./commands/bot/dev.ts")).dev,
    run: async () => (await import("./commands/bot/run.ts")).run,
    check: async () => (await import("./commands/bot/check.ts")).check,
    explain: async () => (await import("./commands/rules/explain.ts")).explain,
    docs: async () => (await import("./commands/rules/docs.ts")).docs,
    test: async () => (await import("./commands/rules/test.ts")).test,
    backtest: async () => (await import("./commands/rules/backtest.ts")).backtest,
    rules: async () => (await import("./commands/rules/rules.ts")).rules,
    doctor: async () => (await import("./commands/bot/doctor.ts")).doctor,
    status: async () => (await import("./commands/bot/status.ts")).status,
    logs: async () => (await import("./commands/bot/logs.ts")).logs,
    open: async () => (await import("./commands/bot/open.ts")).open,
    journal: async () => (await import("./commands/bot/journal.ts")).journal,
    runs: async () => (await import("./commands/rules/runs.ts")).runs,
    why: async () => (await import("./commands/rules/why.ts")).why,
    trace: async () => (await import("./commands/rules/trace.ts")).trace,
    outbox: async () => (await import("./commands/bot/outbox/outbox.ts")).outbox,
    escalations: async () => (await import("./commands/bot/escalations.ts")).escalations,
    answer: async () => (await import("./commands/bot/answer.ts")).answer,
    pause: async () => (await import("./commands/bot/pause.ts")).pause,
    resume: async () => (await import("./commands/bot/pause.ts")).resume,
    reload: async () => (await import("./commands/bot/reload.ts")).reload,
    coverage: async () => (await import("./commands/bot/coverage.ts")).coverage,
    verify: async () => (await import("./commands/bot/verify.ts")).verify,
    replay: async () => (await import("./commands/bot/replay.ts")).replay,
    mcp: async () => (await import("./commands/rules/mcp.ts")).mcp,
  },
  "A bot's data:": {
    backup: async () => (await import("./commands/bot/backup.ts")).backup,
    restore: async () => (await import("./commands/bot/restore.ts")).restore,
    move: async () => (await import("./commands/bot/move.ts")).move,
    forget: async () => (await import("./commands/bot/forget.ts")).forget,
  },
  "Talk to a bot:": {
    send: async () => (await import("./commands/bot/send.ts")).send,
    chat: async () => (await import("./commands/bot/chat.ts")).chat,
  },
  "Sandbox:": {
    sandbox: async () => (await import("./commands/sandbox/sandbox.ts")).sandbox,
    clock: async () => (await import("./commands/sandbox/clock.ts")).clock,
    fault: async () => (await import("./commands/sandbox/fault.ts")).fault,
    snapshot: async () => (await import("./commands/sandbox/snapshot.ts")).snapshot,
    events: async () => (await import("./commands/sandbox/events.ts")).events,
    apps: async () => (await import("./commands/sandbox/apps.ts")).apps,
  },
  "Platform:": {
    login: async () => (await import("./commands/platform/login.ts")).login,
    accounts: async () => (await import("./commands/platform/accounts.ts")).accounts,
    webhooks: async () => (await import("./commands/platform/webhooks.ts")).webhooks,
    subscriptions: async () => (await import("./commands/platform/subscriptions.ts")).subscriptions,
    dm: async () => (await import("./commands/platform/dm.ts")).dm,
    posts: async () => (await import("./commands/platform/posts.ts")).posts,
    users: async () => (await import("./commands/platform/users.ts")).users,
    ads: async () => (await import("./commands/platform/ads.ts")).ads,
    api: async () => (await import("./commands/platform/api.ts")).api,
  },
  "Shell:": {
    completion: async () => (await import("./commands/completion.ts")).completion,
  },
};
