import type * as z from "zod";
import type { ConsoleRole } from "../sign-in/sessions.ts";
import type { COMMANDS, QUESTIONS } from "./operations.ts";

type Operations = typeof QUESTIONS & typeof COMMANDS;

/**
 * Role that an operation needs, or a function if the role depends on the request. Operators may do everything that
 * readers may do.
 */
type Right<Name extends keyof Operations> =
  | ConsoleRole
  | ((request: z.output<Operations[Name]["request"]>) => ConsoleRole);

/**
 * Role that each operation needs. An operation without an entry does not compile.
 *
 * Every change needs an operator. Evaluating unsaved rules does too, since rules can name files, modules and secrets.
 * Operations of readers run without access to the sandbox, since it exposes private messages and tokens.
 */
export const RIGHTS: { readonly [Name in keyof Operations]: Right<Name> } = {
  status: "reader",
  journal: "reader",
  outbox: "reader",
  escalations: "reader",
  coverage: "reader",
  replays: "reader",
  limits: "reader",
  faultPresets: "reader",
  faultsMet: "reader",
  find: "reader",
  nextTimer: "reader",
  snapshots: "reader",
  logLines: "reader",
  neighbours: "reader",
  runAgain: "reader",
  suggestedWords: "reader",
  trouble: "reader",
  system: "reader",
  askPlatform: "reader",
  adsOverview: "reader",
  dataKind: "reader",
  dataObject: "reader",
  documentation: "reader",
  endpoints: "reader",
  outboxItems: "reader",
  compareTraces: "reader",
  conversation: "reader",
  conversations: "reader",
  ruleFile: "reader",
  ruleSchema: "reader",
  rulesOverview: "reader",
  sayAgain: "reader",
  sequence: "reader",
  sharedTrace: "reader",
  trace: "reader",
  traces: "reader",
  tryMessage: ({ rules }) => (rules === undefined ? "reader" : "operator"),
  checkEdit: "operator",
  testEdit: "operator",
  consoleSessions: "operator",

  retryItem: "operator",
  settleItem: "operator",
  dropItem: "operator",
  resolveEscalation: "operator",
  answerByHand: "operator",
  pause: "operator",
  resume: "operator",
  reload: "operator",
  replay: "operator",
  callPlatform: "operator",
  make: "operator",
  mend: "operator",
  startPreset: "operator",
  keepSnapshot: "operator",
  restartFrom: "operator",
  restoreSnapshot: "operator",
  saveRules: "operator",
  saveTest: "operator",
  beginLogIn: "operator",
  completeLogIn: "operator",
  endSessions: "operator",
};

/** Returns whether a role may make a request, which the operation's schema has validated. */
export function mayDo(role: ConsoleRole, name: string, request: unknown): boolean {
  if (role === "operator") return true;
  const rights: Readonly<Record<string, ConsoleRole | ((request: never) => ConsoleRole)>> = RIGHTS;
  const right = Object.hasOwn(rights, name) ? rights[name] : "operator";
  return (typeof right === "function" ? right(request as never) : right) === "reader";
}
