import { constants } from "node:fs";
import { access, readFile, realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod";
import type { Problem } from "../../config/problem.ts";
import { journalQuery } from "../../runtime/control.ts";
import { replaceFile } from "../../system/files/own-file.ts";
import { contentHash } from "../../system/content-hash.ts";
import { backtestEdit, type EditTested } from "../../insight/traces/backtest-edit.ts";
import { editedRules } from "../../insight/traces/edited-rules.ts";
import {
  type RulesOverview,
  rulesOverview as overviewOf,
} from "../../insight/traces/rules-overview.ts";
import { type SaidAgain, sayAgain as sayAgainTo } from "../../insight/traces/say-again.ts";
import { type Tried, tryMessage as tryOne } from "../../insight/traces/try-message.ts";
import type { ShownRuntime } from "../console-needs.ts";
import { operation, OperationError } from "./operation.ts";
import { runtimeOf } from "./runtime-operations.ts";
import { traceNeeds } from "./traces/trace.ts";
import { counted } from "../../text/counted.ts";

const HOUR_MS = 3_600_000;
const edit = z.strictObject({
  /** Path of the rule file, as in the compiled rules. */
  file: z.string().min(1),
  text: z.string().max(1_000_000),
});

/** Returns the rules, each with the number of its runs in the last `hours`. */
export const rulesOverview = operation(
  z.strictObject({ hours: z.number().min(1).max(720) }),
  async (needs, { hours }): Promise<RulesOverview> => {
    const runtime = runtimeOf(needs);
    const reading = { problems: () => runtime.rules.problems, ...(await traceNeeds(runtime)) };
    return overviewOf(reading, { since: reading.now() - hours * HOUR_MS });
  },
);

/** Tries a message with the current rules, or with an unsaved edit of a rule file. Nothing is sent. */
export const tryMessage = operation(
  z.strictObject({
    text: z.string().min(1).max(10_000),
    trigger: z.enum(["dm.received", "post.mentioned"]).exactOptional(),
    rules: edit.exactOptional(),
  }),
  async (needs, trial): Promise<Tried> => {
    const runtime = runtimeOf(needs);
    const { accounts } = await runtime.handlers.status({});
    const account = accounts[0] ?? { id: "1", username: "bot" };
    return tryOne(
      {
        files: runtime.readRules,
        account,
        ruleset: () => runtime.rules.ruleset,
        now: runtime.now,
      },
      trial,
    );
  },
);

/**
 * Runs people's latest messages through the current rules, and returns the new results beside the results at that time.
 * Nothing is sent.
 */
export const sayAgain = operation(
  z.strictObject({ count: z.int().min(1).max(20) }),
  async (needs, { count }): Promise<readonly SaidAgain[]> =>
    sayAgainTo(await traceNeeds(runtimeOf(needs)), count),
);

/** Returns the problems of an edited rule file. */
export const checkEdit = operation(
  edit,
  async (needs, editedFile): Promise<readonly Problem[]> =>
    (await editedRules({ files: runtimeOf(needs).readRules }, editedFile)).problems,
);

/** Runs the latest events through the rules with an unsaved edit, and returns the differences in output. */
export const testEdit = operation(
  edit.extend({ events: z.int().min(1).max(10_000) }),
  async (needs, editedFile): Promise<EditTested> => {
    const runtime = runtimeOf(needs);
    const { accounts } = await runtime.handlers.status({});
    return backtestEdit(
      {
        ...(await traceNeeds(runtime)),
        files: runtime.readRules,
        entries: (query) => runtime.handlers.journal(journalQuery.parse(query)),
        usernames: Object.fromEntries(accounts.map(({ id, username }) => [id, username])),
      },
      editedFile,
    );
  },
);

/** Returns the JSON Schema of rule files. */
export const ruleSchema = operation(z.strictObject({}), async (): Promise<unknown> => {
  const at = new URL("../../../config/schema/rules.schema.json", import.meta.url);
  return JSON.parse(await readFile(at, "utf8"));
});

/** Returns the text of a rule file on disk. The text may contain errors. */
export const ruleFile = operation(
  edit.pick({ file: true }),
  async (needs, { file }): Promise<{ readonly text: string }> => ({
    text: await readFile(await pathOf(runtimeOf(needs), file), "utf8"),
  }),
);

/**
 * Saves an edited rule file. Refuses if the file has changed on disk since it was opened. Also refuses a text with
 * errors, unless `anyway` is set.
 */
export const saveRules = operation(
  edit.extend({
    /** Text of the file when it was opened. */
    before: z.string(),
    /** Whether to save despite errors. Rules with errors keep their last working version. */
    anyway: z.boolean(),
  }),
  async (
    needs,
    { file, text, before, anyway },
  ): Promise<{ readonly problems: readonly Problem[] }> => {
    const runtime = runtimeOf(needs);
    if (runtime.target !== "sandbox") {
      throw new OperationError("rules of a live bot are changed in their files", 403);
    }
    const path = await pathOf(runtime, file);
    const mode = await modeOf(path, file);
    const there = await readFile(path, "utf8");
    if (contentHash(there) !== contentHash(before)) {
      throw new OperationError(
        `${file} has changed on disk since it was opened here, so it was not saved. Open the version on disk, and make your changes there`,
        409,
      );
    }
    const { problems } = await editedRules({ files: runtime.readRules }, { file, text });
    const errors = problems.filter(({ severity }) => severity === "error");
    const [first] = errors;
    if (first !== undefined && !anyway) {
      throw new OperationError(
        `${file} is not saved, it has ${counted(errors.length, "error")}: line ${first.line}, column ${first.column}: ${first.message}. Save again to save it anyway`,
      );
    }
    await replaceFile(path, text.endsWith("\n") ? text : `${text}\n`, mode);
    await runtime.handlers.reload({});
    return { problems };
  },
);

const ANY_WRITE = 0o222;

/** Returns the permission bits that a new version of a rule file gets. Refuses a file that is read-only. */
async function modeOf(path: string, file: string): Promise<number> {
  const { mode } = await stat(path);
  const isWritable = await access(path, constants.W_OK).then(
    () => (mode & ANY_WRITE) !== 0,
    () => false,
  );
  if (isWritable) return mode & 0o777;
  throw new OperationError(
    `${file} is read-only, so it was not saved. Make the file writable, or change it where it comes from`,
    403,
  );
}

/** Returns the absolute path of a rule file. Any other file is refused. */
async function pathOf({ base, readRules }: ShownRuntime, file: string): Promise<string> {
  const isRuleFile = (await readRules()).some(({ path }) => path === file);
  if (!isRuleFile) throw new OperationError(`there is no rule file ${file}`, 404);
  // For a symbolic link, the file to which it points is read and written.
  return realpath(resolve(base, file));
}
