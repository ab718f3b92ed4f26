/**
 * Counts the files of `src` that are involved in four phases, by V8's coverage of the main thread: `npm run -s
 * house:walks [-- --list NAME]`.
 *
 * `load`: files that a bot loads until it is ready. `start`: those of them with a function that runs before the bot is
 * ready. `message`: files with a function that runs while a bot that has answered before answers a direct message.
 * `compile`: files with a function that runs while a rule file of six lines is compiled. Prints `{"load", "start",
 * "message", "compile"}`; `--list` prints the files of one phase.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { botOnSandbox } from "../../support/bot-on-sandbox.ts";
import { when } from "../../support/when.ts";
import { readWalk, reportsIn, type Walk } from "./coverage.ts";

const HELLO = `version: 1
rules:
  - id: hello
    triggers: [dm.received]
    actions: [{reply_dm: {text: "Hello, \${{ sender.name }}."}}]
`;
const ROUNDS = 5;
const ON_SIGNAL = new URL("coverage-on-signal.mjs", import.meta.url).href;

const { values } = parseArgs({ options: { list: { type: "string" } } });
const folder = await mkdtemp(join(tmpdir(), "answerback-walks-"));
try {
  const walks: Readonly<Record<string, readonly string[]>> = {
    ...(await walksOfBot()),
    compile: (await compileWalk()).walked,
  };
  const { list } = values;
  const counts = Object.entries(walks).map(([name, files]) => [name, files.length] as const);
  process.stdout.write(
    list === undefined
      ? `${JSON.stringify(Object.fromEntries(counts))}\n`
      : `${(walks[list] ?? []).join("\n")}\n`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function walksOfBot(): Promise<
  Readonly<Record<"load" | "start" | "message", readonly string[]>>
> {
  const coverage = join(folder, "bot");
  const bot = await botOnSandbox({
    rules: { "hello.yaml": HELLO },
    env: { NODE_V8_COVERAGE: coverage, NODE_OPTIONS: `--import ${ON_SIGNAL}` },
  });
  try {
    await bot.startProcess();
    let reports = 0;
    const walk = async (): Promise<Walk> => {
      bot.signal("SIGUSR2");
      reports += 1;
      await when(() => (existsSync(join(coverage, `written-${reports}`)) ? true : undefined));
      return readWalk(join(coverage, (await reportsIn(coverage, bot.pid())).at(-1) ?? ""));
    };
    const { loaded: load, walked: start } = await walk();
    const person = await bot.stranger("Ana");
    const answer = async (count: number): Promise<void> => {
      await person.says(`hello ${count}`);
      await person.answers(count);
      await bot.quiet();
    };
    await answer(1);
    await walk();
    // A timer may also run between two messages, so each of several walks counts the files of one message.
    const rounds: Walk[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await answer(round + 2);
      rounds.push(await walk());
    }
    const [first, ...others] = rounds.map(({ walked }) => walked);
    const message = (first ?? []).filter((file) => others.every((files) => files.includes(file)));
    return { load, start, message };
  } finally {
    await bot.close();
  }
}

async function compileWalk(): Promise<Walk> {
  const coverage = join(folder, "compile");
  const program = fileURLToPath(new URL("compile.ts", import.meta.url));
  const { pid } = spawnSync(
    process.execPath,
    ["--conditions=answerback-source", "--import", "tsx", program],
    {
      env: { ...process.env, NODE_V8_COVERAGE: coverage },
      stdio: "inherit",
    },
  );
  const [, compiling] = await reportsIn(coverage, pid);
  if (compiling === undefined) throw new Error(`no second report of coverage in ${coverage}`);
  return readWalk(join(coverage, compiling));
}
