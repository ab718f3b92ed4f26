import { askPlatform, callPlatform } from "./call-platform.ts";
import type * as z from "zod";
import { compareTraces } from "./traces/compare-traces.ts";
import { conversation, conversations } from "./traces/conversations.ts";
import { adsOverview, dataKind, dataObject, make } from "./data.ts";
import { endpoints } from "./endpoints.ts";
import { mend, trouble } from "./faults/breakages.ts";
import { faultsMet } from "./faults/faults-met.ts";
import { faultPresets, startPreset } from "./faults/presets.ts";
import { find } from "./find.ts";
import { beginLogIn, completeLogIn } from "./log-in-tester.ts";
import { outboxItems } from "./outbox-items.ts";
import { nextTimer } from "./next-timer.ts";
import { keepSnapshot, restoreSnapshot, snapshots } from "./snapshots.ts";
import {
  checkEdit,
  ruleFile,
  ruleSchema,
  rulesOverview,
  sayAgain,
  saveRules,
  testEdit,
  tryMessage,
} from "./rules.ts";
import { sequence } from "./sequence.ts";
import { restartFrom } from "./restart-from.ts";
import { suggestedWords } from "./suggested-words.ts";
import { consoleSessions, endSessions } from "./session.ts";
import { documentation, system } from "./system.ts";
import { trace } from "./traces/trace.ts";
import { neighbours, runAgain, saveTest, sharedTrace, traces } from "./traces/traces.ts";
import { logLines, RUNTIME_COMMANDS, RUNTIME_QUESTIONS } from "./runtime-operations.ts";

/**
 * Read-only operations of the page: `GET /_console/ask/NAME?with=JSON`. `rights.ts` defines the role that each needs.
 */
export const QUESTIONS = {
  ...RUNTIME_QUESTIONS,
  faultPresets,
  faultsMet,
  find,
  nextTimer,
  snapshots,
  logLines,
  neighbours,
  runAgain,
  suggestedWords,
  trouble,
  consoleSessions,
  system,
  askPlatform,
  adsOverview,
  dataKind,
  dataObject,
  documentation,
  endpoints,
  outboxItems,
  checkEdit,
  compareTraces,
  conversation,
  conversations,
  ruleFile,
  ruleSchema,
  rulesOverview,
  sayAgain,
  sequence,
  sharedTrace,
  testEdit,
  trace,
  traces,
  tryMessage,
} as const;

/**
 * Operations of the page that change something: `POST /_console/do/NAME` with JSON. `rights.ts` defines the role that
 * each needs.
 */
export const COMMANDS = {
  ...RUNTIME_COMMANDS,
  callPlatform,
  make,
  mend,
  startPreset,
  keepSnapshot,
  restartFrom,
  restoreSnapshot,
  saveRules,
  saveTest,
  beginLogIn,
  completeLogIn,
  endSessions,
} as const;

type Table = Readonly<Record<string, { readonly request: z.ZodType; readonly answer: Answering }>>;
type Answering = (...args: never[]) => unknown;

type RequestsOf<T extends Table> = { readonly [Name in keyof T]: z.input<T[Name]["request"]> };
type AnswersOf<T extends Table> = {
  readonly [Name in keyof T]: Awaited<ReturnType<T[Name]["answer"]>>;
};

export type QuestionRequests = RequestsOf<typeof QUESTIONS>;
export type QuestionAnswers = AnswersOf<typeof QUESTIONS>;
export type CommandRequests = RequestsOf<typeof COMMANDS>;
export type CommandAnswers = AnswersOf<typeof COMMANDS>;
