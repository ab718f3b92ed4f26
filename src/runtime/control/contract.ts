import * as z from "zod";
import {
  eventsQuery,
  itemChange,
  itemQuery,
  journalQuery,
  journalRow,
  outboxItem,
  whole,
} from "./stored-schema.ts";
import {
  copyEnded,
  copying,
  copyKept,
  forgetAnswer,
  forgetRequest,
  heldCopy,
} from "./backup-schema.ts";
import {
  coverageAnswer,
  coverageQuery,
  replayAnswer,
  replayRequest,
  replaysAnswer,
} from "./coverage-schema.ts";
import { answerAnswer, answerRequest } from "./answer-schema.ts";
import { escalation, escalationQuery, resolvedEscalation } from "./escalation-schema.ts";
import { limitsAnswer } from "./limits-schema.ts";
import { pauseAnswer, pauseRequest, resumeAnswer, resumeRequest } from "./pause-schema.ts";
import { type OperationName, ROUTES } from "./routes.ts";
import { runtimeStatus } from "./status-schema.ts";

/** Result of reloading the rule files and the bot modules. */
const reloadAnswer = z.object({
  /** Revision of the rules that are active from now on. */
  revision: z.string(),
  /** Whether the rules differ from the rules that were active before. */
  changed: z.boolean(),
  /** Number of active rules. */
  count: z.number(),
  /** Ids of rules with errors, whose last working version stays active. */
  kept: z.array(z.string()).readonly(),
  /** Problems in the files, one line each. */
  problems: z.array(z.string()).readonly(),
  bots: z.object({
    count: z.number(),
    /** Names of bots whose module failed to load, and whose last working version stays active. */
    kept: z.array(z.string()).readonly(),
    problems: z.array(z.string()).readonly(),
  }),
});

/**
 * Operations of a running runtime. Server, command line and console take their TypeScript types from this table. A new
 * operation needs an entry in this table, an entry in `routes.ts` and a handler in `handlers.ts`.
 *
 * Fields of `request` that the path names are part of the path. The other fields are the query of `GET` and `DELETE`,
 * and the JSON body of `PUT` and `POST`.
 */
export const OPERATIONS = {
  /** Returns the runtime's status. */
  status: {
    ...ROUTES.status,
    request: z.strictObject({}),
    answer: runtimeStatus,
  },
  /** Lists journal entries with their outcomes, newest first. */
  journal: {
    ...ROUTES.journal,
    request: journalQuery,
    answer: z.array(journalRow).readonly(),
  },
  /** Lists outbox items, newest first. */
  outbox: {
    ...ROUTES.outbox,
    request: itemQuery,
    answer: z.array(outboxItem).readonly(),
  },
  /** Sends an outbox item now that failed, expired, is held or waits. */
  retryItem: {
    ...ROUTES.retryItem,
    request: z.strictObject({
      id: whole,
      /** Whether to send the item even if its outcome is unknown, so that it may arrive twice. */
      anyway: z.boolean().default(false),
    }),
    answer: itemChange,
  },
  /** Records the outcome of an item whose outcome was unknown. */
  settleItem: {
    ...ROUTES.settleItem,
    request: z.strictObject({
      id: whole,
      as: z.enum(["sent", "failed"]),
      /** Platform's id of the created message or post. Refused with `as: "failed"`. */
      platformId: z.string().regex(/^\d+$/).exactOptional(),
    }),
    answer: itemChange,
  },
  /** Drops an outbox item that waits or is held. */
  dropItem: {
    ...ROUTES.dropItem,
    request: z.strictObject({ id: whole }),
    answer: itemChange,
  },
  /** Lists escalations: conversations and tasks that rules have handed over to people. Newest first. */
  escalations: {
    ...ROUTES.escalations,
    request: escalationQuery,
    answer: z.array(escalation).readonly(),
  },
  /** Marks an escalation as resolved by a person. */
  resolveEscalation: {
    ...ROUTES.resolveEscalation,
    request: z.strictObject({ id: whole }),
    answer: resolvedEscalation,
  },
  /** Sends an operator's answer to a person, as the bot account. The answer is in the journal when the call returns. */
  answerByHand: { ...ROUTES.answerByHand, request: answerRequest, answer: answerAnswer },
  /** Returns the remaining budgets of the platform's rate limits, and the states of the circuit breakers. */
  limits: { ...ROUTES.limits, request: z.strictObject({}), answer: limitsAnswer },
  /** Pauses an account, or all: events are stored, but rules and bots do not decide on them and nothing is sent. */
  pause: { ...ROUTES.pause, request: pauseRequest, answer: pauseAnswer },
  /** Ends the pause of an account; for a person, releases the answers that are held back after a hand-over. */
  resume: { ...ROUTES.resume, request: resumeRequest, answer: resumeAnswer },
  /** Reads the rule files and bot modules again. */
  reload: { ...ROUTES.reload, request: z.strictObject({}), answer: reloadAnswer },
  /** Returns the stretches of time in which events were received or missed. */
  coverage: {
    ...ROUTES.coverage,
    request: coverageQuery,
    answer: coverageAnswer,
  },
  /** Lists replays: the current replay, queued replays, and the last finished replays. */
  replays: {
    ...ROUTES.replays,
    request: z.strictObject({}),
    answer: replaysAnswer,
  },
  /** Requests that the platform delivers a stretch of time again. */
  replay: {
    ...ROUTES.replay,
    request: replayRequest,
    answer: replayAnswer,
  },
  /** Holds the store's file unchanged, so that another process can copy it. */
  beginBackup: {
    ...ROUTES.beginBackup,
    request: z.strictObject({}),
    answer: heldCopy,
  },
  /** Renews the hold during the copying. */
  keepBackup: { ...ROUTES.keepBackup, request: copying, answer: copyKept },
  /** Releases the file after the copying. */
  endBackup: { ...ROUTES.endBackup, request: copying, answer: copyEnded },
  /** Deletes a person's stored data. */
  forget: { ...ROUTES.forget, request: forgetRequest, answer: forgetAnswer },
  /** Links an account, or replaces its tokens. The account's events arrive from now on. */
  linkAccount: {
    ...ROUTES.linkAccount,
    request: z.strictObject({
      id: z.string().min(1),
      /** The handle, without `@`. */
      username: z.string().min(1),
      accessToken: z.string().min(1),
      accessTokenSecret: z.string().min(1),
      /** Time at which the tokens were issued, in milliseconds since the epoch; by default now. */
      linkedAt: z.number().exactOptional(),
    }),
    answer: z.object({
      /** Whether the account's events arrive. */
      subscribed: z.boolean(),
      /** Reason why the account's events do not arrive, if known. */
      reason: z.string().exactOptional(),
    }),
  },
  /** Unlinks an account: its events no longer arrive, and its tokens are deleted. */
  unlinkAccount: {
    ...ROUTES.unlinkAccount,
    request: z.strictObject({ id: z.string().min(1) }),
    answer: z.object({
      /** Whether an account with this id was linked. */
      removed: z.boolean(),
    }),
  },
  /**
   * Lets one browser sign in to the console, once. All fields of the answer are absent if the bot serves no console.
   */
  openConsole: {
    ...ROUTES.openConsole,
    request: z.strictObject({
      /** Path of the page to open. */
      to: z.string().exactOptional(),
      /** Whether to write a file that signs in the browser that opens it. */
      file: z.boolean().default(false),
      /** Whether to create a code that a person can enter. */
      code: z.boolean().default(true),
    }),
    answer: z.object({
      /** Address that signs in the browser that opens it; valid for a minute. */
      url: z.string().exactOptional(),
      /** Address of the page on which the code is entered. */
      page: z.string().exactOptional(),
      /** Code for a person to enter, valid for an hour. */
      code: z.string().exactOptional(),
      /** `file://` address of the file, which is removed after its use, or after a minute. */
      file: z.string().exactOptional(),
    }),
  },
  /** Lists the browsers that are signed in to the console, newest first. */
  consoleSessions: {
    ...ROUTES.consoleSessions,
    request: z.strictObject({}),
    answer: z
      .array(
        z.object({
          id: z.string(),
          role: z.enum(["reader", "operator"]),
          host: z.string(),
          browser: z.string(),
          since: z.string(),
          until: z.string(),
        }),
      )
      .readonly(),
  },
  /** Signs out one browser, or all unless `id` is passed. */
  endConsoleSessions: {
    ...ROUTES.endConsoleSessions,
    request: z.strictObject({ id: z.string().min(1).exactOptional() }),
    answer: z.object({ ended: z.number() }),
  },
} as const satisfies { readonly [Name in OperationName]: Operation };

/** Route that streams runtime events as server-sent events, each a `RuntimeEvent` as JSON. */
export const EVENT_STREAM = {
  method: "GET",
  path: "/events",
  request: eventsQuery,
} as const;

interface Operation {
  readonly request: z.ZodObject;
  readonly answer: z.ZodType;
}

/** Request of each operation, as the client sends it. */
export type Requests = {
  readonly [Name in OperationName]: z.input<(typeof OPERATIONS)[Name]["request"]>;
};

/** Request of each operation, as its handler receives it: validated, with defaults. */
export type CheckedRequests = {
  readonly [Name in OperationName]: z.output<(typeof OPERATIONS)[Name]["request"]>;
};

/** Answer of each operation. */
export type Answers = {
  readonly [Name in OperationName]: z.output<(typeof OPERATIONS)[Name]["answer"]>;
};

/** Handler of each operation. */
export type ControlHandlers = {
  readonly [Name in OperationName]: (request: CheckedRequests[Name]) => Promise<Answers[Name]>;
};

/** All operations, in the order of the table. */
export const OPERATION_NAMES = keysOf(OPERATIONS);

function keysOf<T extends object>(table: T): readonly (keyof T)[] {
  const names: (keyof T)[] = [];
  for (const name in table) names.push(name);
  return names;
}
