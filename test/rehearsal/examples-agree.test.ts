import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { benchOf } from "../../src/insight/tests/bench-of.ts";
import { passes } from "../../src/insight/tests/judge.ts";
import { readTests } from "../../src/insight/tests/read-tests.ts";
import type { RuleTest, RuleTestFile, TestEvent } from "../../src/insight/tests/rule-test.ts";
import { runTest, type TestOutcome } from "../../src/insight/tests/run-test.ts";
import { runIdParts, ruleOrBotOf } from "../../src/runtime/store/run.ts";
import type { Act } from "../../src/sandbox/index.ts";
import { type Lab, startLab } from "../../src/testing/index.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const EXAMPLES = ["quiz-rules", "reminders", "giveaway", "moderation"];

/** Effect of a bot, in a form that is the same in a rule test and on the sandbox. */
interface Outcome {
  readonly at: number;
  readonly owner: string;
  readonly word: string;
  readonly to: string | undefined;
  readonly text: unknown;
}

interface Escalated {
  readonly owner: string;
  readonly queue: unknown;
}

/** All output of one rule test: messages and posts in their order, escalations separately. */
interface Outcomes {
  readonly items: readonly Outcome[];
  readonly escalations: readonly Escalated[];
}

async function filesOf(example: string): Promise<readonly RuleTestFile[]> {
  const folder = join("examples", example, "config", "rules");
  const names = (await readdir(join(ROOT, folder))).filter((name) => name.endsWith(".test.yaml"));
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const { file, problems } = readTests(await readFile(join(ROOT, path), "utf8"), path, ROOT);
      if (file === undefined) throw new Error(JSON.stringify(problems));
      return file;
    }),
  );
}

async function inVirtualTime(test: RuleTest, file: RuleTestFile): Promise<TestOutcome> {
  const bench = await benchOf(file, ROOT);
  if (!("ruleset" in bench)) throw new Error(JSON.stringify(bench));
  try {
    return await runTest(test, file, bench);
  } finally {
    await bench.close();
  }
}

function outcomesOf({ course }: TestOutcome, file: RuleTestFile): Outcomes {
  const handles = new Map([...file.people.values()].map(({ id, username }) => [id, username]));
  const sent = course.happenings.flatMap((one) => (one.kind === "sent" ? [one.sent] : []));
  return {
    items: sent
      .filter(({ word }) => word !== "escalate")
      .map(({ at, owner, word, fields }) => ({
        at: at - file.startAt,
        owner,
        word,
        to: handles.get(String(fields["to"])),
        text: fields["text"],
      })),
    escalations: sent
      .filter(({ word }) => word === "escalate")
      .map(({ owner, fields }) => ({ owner, queue: fields["queue"] })),
  };
}

/** Plays a test's events on the sandbox, and moves its clock through their times. */
async function onSandbox(
  test: RuleTest,
  file: RuleTestFile,
  { settings, times }: { readonly settings: string; readonly times: readonly number[] },
): Promise<Outcomes> {
  const lab = await startLab({ settings, startAt: file.startAt, environment: {} });
  try {
    const escalations: Escalated[] = [];
    lab.runtime.events.subscribe((event) => {
      if (event.type !== "escalated") return;
      const { run, queue } = event.data;
      escalations.push({ owner: ruleOrBotOf(runIdParts(run)[1]), queue });
    });
    const ids = new Map<string, string>();
    for (const { username = "", name = username } of file.people.values()) {
      ids.set(username, await lab.sandbox.control.user(username, { name }));
    }
    const inOrder = [...test.events].sort((a, b) => a.at - b.at);
    for (const time of [...new Set([...inOrder.map(({ at }) => at), ...times])].sort(ascending)) {
      await lab.advance(file.startAt + time - lab.now().getTime());
      for (const happens of inOrder.filter(({ at }) => at === time)) {
        const { by, act } = actOf(happens, lab);
        await lab.sandbox.control.act(ids.get(by) ?? "", act);
        await lab.replies();
      }
    }
    return { items: await itemsOf(lab, ids, file.startAt), escalations };
  } finally {
    await lab.stop();
  }
}

function actOf(happens: TestEvent, lab: Lab): { readonly by: string; readonly act: Act } {
  if (!("doing" in happens) || happens.person === undefined) throw new Error("nobody does this");
  const { doing, person } = happens;
  const { username: by = "" } = person;
  if (doing.trigger === "dm.received") {
    return { by, act: { type: "dm", to: lab.bot.id, text: doing.text } };
  }
  if (doing.trigger === "post.mentioned") return { by, act: { type: "post", text: doing.text } };
  throw new Error(`${doing.trigger} is not known here`);
}

async function itemsOf(
  lab: Lab,
  ids: ReadonlyMap<string, string>,
  startAt: number,
): Promise<readonly Outcome[]> {
  const handles = new Map([...ids].map(([username, id]) => [id, username]));
  const items = await lab.runtime.outbox({ limit: 1_000 });
  expect(items.filter(({ status }) => status !== "sent")).toEqual([]);
  return items
    .map((item) => ({ ...item, settledAt: item.settledAt ?? Number.NaN }))
    .sort((a, b) => a.settledAt - b.settledAt || a.id - b.id)
    .map(({ run, action, settledAt }) => ({
      at: settledAt - startAt,
      owner: ruleOrBotOf(runIdParts(run)[1]),
      word: action.type,
      to: "to" in action ? handles.get(action.to) : undefined,
      text: "text" in action ? action.text : undefined,
    }));
}

const ascending = (a: number, b: number): number => a - b;

describe.each(EXAMPLES)("the rule tests of %s", async (example) => {
  const settings = join(ROOT, "examples", example, "config", "answerback.yaml");
  const tests = (await filesOf(example)).flatMap((file) =>
    file.tests.map((test) => ({ name: test.name, test, file })),
  );

  it.each(tests)("have the same result on the sandbox: $name", async ({ test, file }) => {
    const outcome = await inVirtualTime(test, file);
    expect(passes(outcome.comparison)).toBe(true);
    const expected = outcomesOf(outcome, file);
    const times = [...expected.items.map(({ at }) => at), test.advanceTo ?? 0];

    const actual = await onSandbox(test, file, { settings, times });

    expect(drawn(actual, test)).toEqual(drawn(expected, test));
  });
});

it("enters all who write to the giveaway at the same time", async () => {
  const settings = join(ROOT, "examples", "giveaway", "config", "answerback.yaml");
  const lab = await startLab({ settings, environment: {} });
  try {
    const names = Array.from({ length: 20 }, (_, index) => `person_${index}`);
    const people = await Promise.all(names.map((name) => lab.sandbox.control.user(name, { name })));
    const act: Act = { type: "dm", to: lab.bot.id, text: "count me in" };
    await Promise.all(people.map((person) => lab.sandbox.control.act(person, act)));
    await lab.replies();

    const items = await lab.runtime.outbox({ limit: 100 });
    const recipients = items.flatMap(({ action, status }) =>
      action.type === "reply_dm" && status === "sent" ? [action.to] : [],
    );
    expect(recipients.toSorted()).toEqual(people.toSorted());
  } finally {
    await lab.stop();
  }
});

/** Removes the texts of messages and posts if the test has a seed: they depend on random draws. */
function drawn({ items, escalations }: Outcomes, { seed }: RuleTest): Outcomes {
  if (seed === undefined) return { items, escalations };
  return { items: items.map((item) => ({ ...item, text: undefined })), escalations };
}
