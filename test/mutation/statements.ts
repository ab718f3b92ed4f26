import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import ts from "typescript";
import { createVitest } from "vitest/node";

/** Statement without which every test passes. */
export interface IdleStatement {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Statements that were removed, one at a time. */
export interface StatementScore {
  readonly statements: number;
  /** Number of removals after which the tests did not end within {@link STUCK_AFTER_MS}. Such a removal is noticed. */
  readonly stuck: number;
  readonly idle: readonly IdleStatement[];
}

/** Time limit of the tests without one statement: a loop without its end runs forever. Milliseconds. */
const STUCK_AFTER_MS = 60_000;

/** Part of a source file that is removed. */
interface Removal {
  readonly start: number;
  readonly end: number;
}

/**
 * Runs the tests once for each statement within a function, without that statement.
 *
 * Declarations stay, since nothing compiles without them. The tests load the changed source: the file stays unchanged.
 */
export async function removeStatements(target: string): Promise<StatementScore> {
  let changed: { readonly path: string; readonly code: string } | undefined;
  const vitest = await createVitest(
    "test",
    {
      config: "test/mutation/vitest.config.ts",
      watch: false,
      reporters: [{}],
      bail: 1,
      maxWorkers: 1,
      // A loop without its end may fill the memory.
      execArgv: ["--max-old-space-size=1024"],
    },
    {
      plugins: [
        {
          name: "without-a-statement",
          enforce: "pre",
          transform: (_, id) => (id === changed?.path ? changed.code : undefined),
        },
      ],
    },
  );
  const idle: IdleStatement[] = [];
  let statements = 0;
  let stuck = 0;
  try {
    const tests = await vitest.globTestSpecifications();
    const isNoticed = async (path: string, code: string): Promise<boolean> => {
      changed = { path, code };
      vitest.invalidateFile(path);
      const watchdog = setTimeout(() => {
        stuck += 1;
        // Vitest waits for the running test at the first call, and ends its process at the second.
        void vitest.cancelCurrentRun("test-failure");
        void vitest.cancelCurrentRun("test-failure");
      }, STUCK_AFTER_MS);
      const { testModules, unhandledErrors } = await vitest
        .runTestSpecifications(tests)
        .finally(() => clearTimeout(watchdog));
      vitest.invalidateFile(path);
      return unhandledErrors.length > 0 || testModules.some((one) => !one.ok());
    };
    for (const file of await sourcesIn(target)) {
      const source = await readFile(file, "utf8");
      const path = resolve(file);
      if (await isNoticed(path, source)) throw new Error("the tests fail without any change");
      for (const { start, end } of removalsIn(file, source)) {
        statements += 1;
        if (await isNoticed(path, `${source.slice(0, start)};${source.slice(end)}`)) continue;
        const line = source.slice(0, start).split("\n").length;
        idle.push({ file, line, text: source.slice(start, end).replaceAll(/\s+/g, " ") });
      }
    }
  } finally {
    await vitest.close();
    process.exitCode = 0;
  }
  return { statements, stuck, idle };
}

async function sourcesIn(target: string): Promise<readonly string[]> {
  if (!(await stat(target)).isDirectory()) return [target];
  const names = await readdir(target, { recursive: true });
  return names.filter((name) => name.endsWith(".ts")).map((name) => join(target, name));
}

function removalsIn(file: string, source: string): readonly Removal[] {
  const removals: Removal[] = [];
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (isRemovable(node)) removals.push({ start: node.getStart(), end: node.end });
    node.forEachChild(visit);
  };
  visit(parsed);
  return removals;
}

/** Returns true for a statement within a function, unless it is a declaration. */
function isRemovable(node: ts.Node): boolean {
  const isStatement =
    ts.isExpressionStatement(node) ||
    ts.isIfStatement(node) ||
    ts.isIterationStatement(node, false) ||
    ts.isReturnStatement(node) ||
    ts.isThrowStatement(node) ||
    ts.isContinueStatement(node) ||
    ts.isBreakStatement(node);
  return isStatement && ts.findAncestor(node, ts.isFunctionLike) !== undefined;
}
