import { readdir, stat } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { lookAtModules, type ModulesLook } from "../../bots/loading/look-at-modules.ts";
import { type ModuleRefusal, moduleRefusal } from "../../bots/module-bounds.ts";
import type { LookedModule, ModuleFault } from "../../bots/messages.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import type { Problem } from "../../config/problem.ts";
import type { EventSource } from "../../config/settings.ts";
import { whyLevelExcludes } from "../../events/needed-level.ts";
import type { AccessLevel } from "../../protocol/access.ts";
import type { CallUse, Ruleset } from "../../rules/ruleset.ts";
import { placedFault, spotOfWord } from "./module-fault.ts";
import { whyNever } from "./undelivered.ts";

/** Modules to check, and the rules that call them. */
export interface ModuleCheck {
  readonly ruleset: Ruleset;
  /** Absolute paths of bot modules. */
  readonly bots: readonly string[];
  /** Source of the bots' events. */
  readonly source: EventSource;
  /** Permission level of the app; absent if it is not known. */
  readonly level?: AccessLevel | undefined;
  /** Absolute folders of the project; rules may call only modules in them. */
  readonly folders: readonly string[];
  /** Base folder of the paths in problems. */
  readonly cwd: string;
  /**
   * Time limit for loading a module, in milliseconds; default: the limit for bot modules. A slower module is a problem.
   */
  readonly timeoutMs?: number | undefined;
  /** Whether to import modules, which runs their code; otherwise only their existence is checked. */
  readonly runsCode: boolean;
}

const MEMORY_MB = 256;

/**
 * Returns the problems of bot modules, and of the modules that rules call. Each module is imported in a thread with a
 * time limit; its functions are not called.
 */
export async function moduleProblems({
  ruleset,
  bots,
  source,
  level,
  folders,
  cwd,
  timeoutMs,
  runsCode,
}: ModuleCheck): Promise<readonly Problem[]> {
  const calls = ruleset.rules.flatMap((rule) =>
    rule.called.map((use) => ({ use, file: resolve(cwd, dirname(use.at.file), use.module) })),
  );
  const named = [...new Set(calls.map(({ file }) => file))];
  const refusals = new Map<string, ModuleRefusal | undefined>();
  for (const file of named) refusals.set(file, await moduleRefusal(file, folders));
  const allowed = named.filter((file) => refusals.get(file) === undefined);
  const isThere = await Promise.all(allowed.map(isFile));
  const modules = allowed.filter((_, index) => isThere[index] === true);
  const notLooked = async ({ use, file }: (typeof calls)[number]): Promise<Problem> => {
    const refusal = refusals.get(file);
    return refusal === undefined ? missingModule(use, file) : refusedModule(use, refusal);
  };
  if (!runsCode || modules.length + bots.length === 0) {
    return Promise.all(calls.filter(({ file }) => !modules.includes(file)).map(notLooked));
  }
  const look = await lookAtModules({
    bots,
    modules,
    timeoutMs,
    memoryMb: MEMORY_MB,
  });
  const byFile = new Map(look.modules.map((one) => [one.file, one]));
  const ofCalls = calls.map((call) => {
    const { use, file } = call;
    const loadedModule = byFile.get(file);
    if (loadedModule !== undefined) return wrongExport(use, loadedModule);
    return modules.includes(file) ? notLoaded(use, file, look, cwd) : notLooked(call);
  });
  const foundProblems = await Promise.all([
    ...ofCalls,
    ...look.faults.filter(({ file }) => bots.includes(file)).map((fault) => botFault(fault, cwd)),
    ...neverComing({ source, level, cwd }, look),
  ]);
  return foundProblems.filter((problem) => problem !== undefined);
}

function refusedModule({ module, at }: CallUse, { what, help }: ModuleRefusal): Problem {
  return { ...at, severity: "error", code: "call-target", message: `${module} ${what}`, help };
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

async function missingModule({ module, at }: CallUse, file: string): Promise<Problem> {
  const beside = await readdir(dirname(file)).catch(() => []);
  const folder = module.slice(0, module.lastIndexOf("/") + 1);
  const guess = didYouMean(
    module,
    beside.map((name) => folder + name),
  );
  const message = `there is no module ${module}`;
  const help =
    guess === undefined ? "the path starts from this rule file" : `did you mean "${guess}"?`;
  return { ...at, severity: "error", code: "call-target", message, help };
}

function wrongExport(
  { module, export: name, at }: CallUse,
  { functions, others }: LookedModule,
): Problem | undefined {
  if (functions.includes(name)) return undefined;
  const message = others.includes(name)
    ? `"${name}" of ${module} is not a function`
    : `${module} exports no "${name}"`;
  const guess = didYouMean(name, functions);
  const all = `it exports: ${functions.join(", ")}`;
  const none = `add to it:  export async function ${name}(input) { … }`;
  const help = guess !== undefined ? `did you mean "${guess}"?` : functions.length > 0 ? all : none;
  return { ...at, severity: "error", code: "call-target", message, help };
}

async function notLoaded(
  { module, at }: CallUse,
  file: string,
  { faults }: ModulesLook,
  cwd: string,
): Promise<Problem | undefined> {
  const fault = faults.find((one) => one.file === file);
  if (fault === undefined) return undefined;
  const { what, at: there } = await placedFault(fault, cwd);
  const message = `${module} can't be loaded: ${what}`;
  const help = `look at ${there.file}:${there.line}:${there.column}`;
  return { ...at, severity: "error", code: "call-target", message, help };
}

async function botFault(fault: ModuleFault, cwd: string): Promise<Problem> {
  const { what, at } = await placedFault(fault, cwd);
  const [message = what, advice] = what.split("; ");
  const isOther = at.file !== relative(cwd, fault.file);
  const whose = isOther ? `, so the bot ${relative(cwd, fault.file)} can't be loaded` : "";
  const still = { ...at, code: "bot-module", message: `${message}${whose}` } as const;
  // Only a warning: a running bot waits for a module with a slow top-level await, and loads it later.
  if (fault.overdue === "waiting") {
    return { ...still, severity: "warning", help: "what it listens to can't be checked" };
  }
  return { ...still, severity: "error", help: advice };
}

function neverComing(
  { source, level, cwd }: Pick<ModuleCheck, "source" | "level" | "cwd">,
  { bots }: ModulesLook,
): readonly Promise<Problem>[] {
  return bots.flatMap(({ file, triggers }) =>
    triggers.flatMap((trigger) => {
      const beyond = level === undefined ? undefined : whyLevelExcludes(level, trigger);
      const why = beyond ?? whyNever(source, trigger, "inbound");
      if (why === undefined) return [];
      const place = spotOfWord(file, trigger, cwd);
      return [
        place.then((at): Problem => ({
          ...at,
          severity: beyond === undefined ? "warning" : "error",
          code: beyond === undefined ? "trigger-not-delivered" : "permission-level",
          ...why,
        })),
      ];
    }),
  );
}
