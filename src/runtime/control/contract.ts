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
import { reloadAnswer } from "./reload-schema.ts";
import { type OperationName, ROUTES } from "./routes.ts";
import { runtimeStatus } from "./status-schema.ts";

/**
 * What can be asked of a running runtime. Server, command line and console take their types from here:
 * a new operation is an entry in this table, one in `routes.ts` and a handler in `handlers.ts`.
 *
 * The fields of `request` that the path names are taken from it; the others are the query of `GET` and
 * `DELETE`, and the JSON body of `PUT` and `POST`.
 */
export const OPERATIONS = {
  /** How the runtime is. */
  status: {
    ...ROUTES.status,
    request: z.strictObject({}),
    answer: runtimeStatus,
  },
  /** Entries of the journal with what became of them, newest first. */
  journal: {
    ...ROUTES.journal,
    request: journalQuery,
    answer: z.array(journalRow).readonly(),
  },
  /** Items of the outbox, newest first. */
  outbox: {
    ...ROUTES.outbox,
    request: itemQuery,
    answer: z.array(outboxItem).readonly(),
  },
  /** Sends an item of the outbox now that failed, expired, is held or waits. */
  retryItem: {
    ...ROUTES.retryItem,
    request: z.strictObject({
      id: whole,
      /** Sends one of unknown outcome, too, which may have arrived already. */
      anyway: z.boolean().default(false),
    }),
    answer: itemChange,
  },
  /** Says what became of an item of unknown outcome. */
  settleItem: {
    ...ROUTES.settleItem,
    request: z.strictObject({
      id: whole,
      as: z.enum(["sent", "failed"]),
      /** The platform's id of what was made. */
      platformId: z.string().regex(/^\d+$/).exactOptional(),
    }),
    answer: itemChange,
  },
  /** Gives up an item of the outbox that waits or is held. */
  dropItem: {
    ...ROUTES.dropItem,
    request: z.strictObject({ id: whole }),
    answer: itemChange,
  },
  /** What people are asked to take over, newest first. */
  escalations: {
    ...ROUTES.escalations,
    request: escalationQuery,
    answer: z.array(escalation).readonly(),
  },
  /** Says that a person has done what was to be done. */
  resolveEscalation: {
    ...ROUTES.resolveEscalation,
    request: z.strictObject({ id: whole }),
    answer: resolvedEscalation,
  },
  /** Answers a person as the account, by hand: the answer is in the journal when this returns. */
  answerByHand: { ...ROUTES.answerByHand, request: answerRequest, answer: answerAnswer },
  /** What the platform's limits leave, and which endpoints only probes go to. */
  limits: { ...ROUTES.limits, request: z.strictObject({}), answer: limitsAnswer },
  /** Keeps the events of an account, or of all, and neither decides on them nor sends anything. */
  pause: { ...ROUTES.pause, request: pauseRequest, answer: pauseAnswer },
  /** Ends that; or lets the answers go that are held back for a person. */
  resume: { ...ROUTES.resume, request: resumeRequest, answer: resumeAnswer },
  /** Reads the rule files again. */
  reload: { ...ROUTES.reload, request: z.strictObject({}), answer: reloadAnswer },
  /** Of which time everything came in, and of which not. */
  coverage: {
    ...ROUTES.coverage,
    request: coverageQuery,
    answer: coverageAnswer,
  },
  /** Replays: the one under way, those that wait, and the last that are over. */
  replays: {
    ...ROUTES.replays,
    request: z.strictObject({}),
    answer: replaysAnswer,
  },
  /** Has the platform deliver a stretch of time again. */
  replay: {
    ...ROUTES.replay,
    request: replayRequest,
    answer: replayAnswer,
  },
  /** Holds the store's file as it is, so that another process can copy it. */
  beginBackup: {
    ...ROUTES.beginBackup,
    request: z.strictObject({}),
    answer: heldCopy,
  },
  /** The copying still goes on. */
  keepBackup: { ...ROUTES.keepBackup, request: copying, answer: copyKept },
  /** The copying is over. */
  endBackup: { ...ROUTES.endBackup, request: copying, answer: copyEnded },
  /** Forgets a person. */
  forget: { ...ROUTES.forget, request: forgetRequest, answer: forgetAnswer },
  /** Links an account, or gives it new tokens; its events come from now on. */
  linkAccount: {
    ...ROUTES.linkAccount,
    request: z.strictObject({
      id: z.string().min(1),
      /** The handle, without `@`. */
      username: z.string().min(1),
      accessToken: z.string().min(1),
      accessTokenSecret: z.string().min(1),
      /** When its tokens were given, in milliseconds since the epoch; now unless said. */
      linkedAt: z.number().exactOptional(),
    }),
    answer: z.object({
      /** Whether its events come. */
      subscribed: z.boolean(),
      /** Why they don't, where that is known. */
      reason: z.string().exactOptional(),
    }),
  },
  /** Unlinks an account: its events end, its tokens are dropped. */
  unlinkAccount: {
    ...ROUTES.unlinkAccount,
    request: z.strictObject({ id: z.string().min(1) }),
    answer: z.object({
      /** `false`: there was no such account. */
      removed: z.boolean(),
    }),
  },
  /** Lets one browser sign in to the console, once. All fields are absent if the settings have no place for a console. */
  openConsole: {
    ...ROUTES.openConsole,
    request: z.strictObject({
      /** Path of the page to open. */
      to: z.string().exactOptional(),
      /** Whether to write a file that signs in the browser that opens it. */
      file: z.boolean().default(false),
      /** Whether there is a code for a person to enter. */
      code: z.boolean().default(true),
    }),
    answer: z.object({
      /** Address that signs in by itself, within a minute. */
      url: z.string().exactOptional(),
      /** Address of the page on which the code is entered. */
      page: z.string().exactOptional(),
      /** Code for a person to enter, valid for an hour. */
      code: z.string().exactOptional(),
      /** `file://` address of the file, which is removed when it was used, and after a minute. */
      file: z.string().exactOptional(),
    }),
  },
  /** Browsers that are signed in to the console, newest first. */
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

/** The stream of runtime events: server-sent, each of them a `RuntimeEvent` as JSON. */
export const EVENT_STREAM = {
  method: "GET",
  path: "/events",
  request: eventsQuery,
} as const;

interface Operation {
  readonly request: z.ZodObject;
  readonly answer: z.ZodType;
}

/** What each operation is asked with. */
export type Requests = {
  readonly [Name in OperationName]: z.input<(typeof OPERATIONS)[Name]["request"]>;
};

/** What each handler gets: checked, defaults filled in. */
export type CheckedRequests = {
  readonly [Name in OperationName]: z.output<(typeof OPERATIONS)[Name]["request"]>;
};

/** What each operation answers. */
export type Answers = {
  readonly [Name in OperationName]: z.output<(typeof OPERATIONS)[Name]["answer"]>;
};

/** What answers each operation. */
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
