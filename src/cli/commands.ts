import type { Command } from "commander";
import { accounts } from "./commands/accounts.ts";
import { ads } from "./commands/ads.ts";
import { api } from "./commands/api.ts";
import { apps } from "./commands/apps.ts";
import { chat } from "./commands/chat.ts";
import { check } from "./commands/check.ts";
import { clock } from "./commands/clock.ts";
import { completion } from "./commands/completion.ts";
import { dev } from "./commands/dev.ts";
import { dm } from "./commands/dm.ts";
import { doctor } from "./commands/doctor.ts";
import { events } from "./commands/events.ts";
import { fault } from "./commands/fault.ts";
import { init } from "./commands/init.ts";
import { journal } from "./commands/journal.ts";
import { login } from "./commands/login.ts";
import { logs } from "./commands/logs.ts";
import { outbox } from "./commands/outbox.ts";
import { posts } from "./commands/posts.ts";
import { replay } from "./commands/replay.ts";
import { run } from "./commands/run.ts";
import { sandbox } from "./commands/sandbox.ts";
import { send } from "./commands/send.ts";
import { snapshot } from "./commands/snapshot.ts";
import { status } from "./commands/status.ts";
import { subscriptions } from "./commands/subscriptions.ts";
import { users } from "./commands/users.ts";
import { webhooks } from "./commands/webhooks.ts";
import type { Io } from "./io.ts";

/** Every command by what it is for, in the order in which help lists them. What a command runs is loaded when it runs. */
export const COMMANDS: Readonly<Record<string, readonly ((io: Io) => Command)[]>> = {
  "Bots:": [init, dev, run, check, doctor, status, logs, journal, outbox],
  "Talking to a bot:": [send, chat],
  "The sandbox:": [sandbox, clock, fault, snapshot, events, apps],
  "The platform:": [login, accounts, webhooks, subscriptions, replay, dm, posts, users, ads, api],
  "The shell:": [completion],
};
