import type { Command } from "commander";
import { accounts } from "./commands/platform/accounts.ts";
import { ads } from "./commands/platform/ads.ts";
import { api } from "./commands/platform/api.ts";
import { apps } from "./commands/sandbox/apps.ts";
import { backup } from "./commands/bot/backup.ts";
import { backtest } from "./commands/rules/backtest.ts";
import { chat } from "./commands/bot/chat.ts";
import { check } from "./commands/bot/check.ts";
import { clock } from "./commands/sandbox/clock.ts";
import { completion } from "./commands/completion.ts";
import { coverage } from "./commands/bot/coverage.ts";
import { dev } from "./commands/bot/dev.ts";
import { dm } from "./commands/platform/dm.ts";
import { doctor } from "./commands/bot/doctor.ts";
import { escalations } from "./commands/bot/escalations.ts";
import { events } from "./commands/sandbox/events.ts";
import { explain } from "./commands/rules/explain.ts";
import { fault } from "./commands/sandbox/fault.ts";
import { forget } from "./commands/bot/forget.ts";
import { init } from "./commands/bot/init.ts";
import { journal } from "./commands/bot/journal.ts";
import { login } from "./commands/platform/login.ts";
import { logs } from "./commands/bot/logs.ts";
import { outbox } from "./commands/bot/outbox.ts";
import { pause, resume } from "./commands/bot/pause.ts";
import { posts } from "./commands/platform/posts.ts";
import { reload } from "./commands/bot/reload.ts";
import { replay } from "./commands/bot/replay.ts";
import { restore } from "./commands/bot/restore.ts";
import { rules } from "./commands/rules/rules.ts";
import { run } from "./commands/bot/run.ts";
import { sandbox } from "./commands/sandbox/sandbox.ts";
import { send } from "./commands/bot/send.ts";
import { snapshot } from "./commands/sandbox/snapshot.ts";
import { status } from "./commands/bot/status.ts";
import { test } from "./commands/rules/test.ts";
import { subscriptions } from "./commands/platform/subscriptions.ts";
import { trace } from "./commands/rules/trace.ts";
import { users } from "./commands/platform/users.ts";
import { webhooks } from "./commands/platform/webhooks.ts";
import { why } from "./commands/rules/why.ts";
import type { Io } from "./io.ts";

/**
 * Every command by its heading in the help, in the order in which the help lists them.
 *
 * A command file imports only what its help needs; what it runs is imported by its action, so that
 * `--help` starts fast.
 */
export const COMMANDS: Readonly<Record<string, readonly ((io: Io) => Command)[]>> = {
  "Bots:": [
    init,
    dev,
    run,
    check,
    explain,
    test,
    backtest,
    rules,
    doctor,
    status,
    logs,
    journal,
    why,
    trace,
    outbox,
    escalations,
    pause,
    resume,
    reload,
    coverage,
    replay,
  ],
  "A bot's data:": [backup, restore, forget],
  "Talk to a bot:": [send, chat],
  "Sandbox:": [sandbox, clock, fault, snapshot, events, apps],
  "Platform:": [login, accounts, webhooks, subscriptions, dm, posts, users, ads, api],
  "Shell:": [completion],
};
