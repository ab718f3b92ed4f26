import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { settingsFile } from "../../src/config/schema/settings-schema.ts";
import { testFile } from "../../src/insight/tests/test-file.ts";
import {
  ruleFileForEditors,
  schemaForEditors,
  settingsForEditors,
} from "../../src/rules/file-schema/editor-schema.ts";
import { withSection } from "./markdown.ts";
import { areasTable } from "./tables/areas.ts";
import {
  fieldsTable,
  functionsTable,
  operatorsTable,
  ruleKeyExamples,
  ruleKeys,
  stepExamples,
  stepKeys,
  stepsTable,
  triggerExamples,
  triggerKeys,
  triggersTable,
} from "./tables/rules.ts";
import { interfaceTable } from "./tables/interface.ts";
import { llms, llmsFull } from "./tables/llms.ts";
import { messageCodes } from "./tables/message-codes.ts";
import { commandsTable, overview } from "./tables/overview.ts";
import { runtimeSettings } from "./tables/runtime-settings.ts";
import { settingsTable } from "./tables/settings.ts";
import { metricsTable, spansTable } from "./tables/telemetry.ts";

/** Whether to write the files, as `npm run generate` does, instead of comparing them. */
const WRITING = process.env["GENERATE"] === "1";

/** Returns the text on disk and the expected text. In writing mode it first writes the expected text. */
async function onDisk(file: string, generate: (before: string) => string) {
  const url = new URL(`../../${file}`, import.meta.url);
  const before = await readFile(url, "utf8");
  const wanted = generate(before);
  if (WRITING && wanted !== before) await writeFile(url, wanted);
  return { diskText: await readFile(url, "utf8"), wanted };
}

const OLD = "the file is old: run npm run generate";

/** Returns the path of a page of the reference. */
const page = (name: string): string => `config/reference/${name}.md`;

describe("a table in the documents is up to date with the code", () => {
  test.each([
    { file: "bots/guide/sandbox.md", section: "areas", make: areasTable },
    { file: "bots/guide/client.md", section: "interface", make: interfaceTable },
    { file: page("commands"), section: "commands", make: commandsTable },
    { file: page("settings"), section: "settings", make: settingsTable },
    { file: page("rule-keys"), section: "rule-keys", make: ruleKeys },
    { file: page("rule-keys"), section: "rule-key-examples", make: ruleKeyExamples },
    { file: page("triggers"), section: "triggers", make: triggersTable },
    { file: page("triggers"), section: "trigger-examples", make: triggerExamples },
    { file: page("triggers"), section: "trigger-keys", make: triggerKeys },
    { file: page("fields"), section: "fields", make: fieldsTable },
    { file: page("operators"), section: "operators", make: operatorsTable },
    { file: page("steps"), section: "steps", make: stepsTable },
    { file: page("steps"), section: "step-examples", make: stepExamples },
    { file: page("steps"), section: "step-keys", make: stepKeys },
    { file: page("functions"), section: "functions", make: functionsTable },
    { file: page("problems"), section: "message-codes", make: messageCodes },
    { file: page("metrics"), section: "metrics", make: metricsTable },
    { file: page("spans"), section: "spans", make: spansTable },
  ])("$section in $file", async ({ file, section, make }) => {
    const content = await make();
    const { diskText, wanted } = await onDisk(file, (before) =>
      withSection(before, section, content),
    );

    expect(diskText, OLD).toBe(wanted);
  });
});

test("rules and bots reach every part of the platform's interface", () => {
  expect(interfaceTable()).not.toMatch(/○|missing/);
});

describe("a JSON Schema on disk matches its zod schema", () => {
  test.each([
    { file: "config/schema/answerback.schema.json", json: settingsForEditors(settingsFile) },
    { file: "config/schema/rules.schema.json", json: ruleFileForEditors() },
    { file: "config/schema/rule-tests.schema.json", json: schemaForEditors(testFile) },
  ])("$file", async ({ file, json }) => {
    const { diskText, wanted } = await onDisk(file, () => `${JSON.stringify(json, null, 2)}\n`);

    expect(diskText, OLD).toBe(wanted);
  });
});

test("programs pass the settings of the schema, under the names of the code", async () => {
  const { diskText, wanted } = await onDisk("src/host/runtime-settings.ts", (before) =>
    before.replace(
      /(?<=\/\/ <settings>\n).*(?= {2}\/\/ <\/settings>)/s,
      () => `${runtimeSettings()}\n`,
    ),
  );

  expect(diskText, OLD).toBe(wanted);
});

test("the first page of the help lists the commands as they describe themselves", async () => {
  const page = await overview();

  const { diskText, wanted } = await onDisk("src/cli/help/overview.ts", (before) =>
    before.replace(/(?<=`).*(?=`)/s, () => `\n${page}\n`),
  );

  expect(diskText, OLD).toBe(wanted);
});

test.each([
  { file: "config/llms.txt", make: llms },
  { file: "config/llms-full.txt", make: llmsFull },
])("$file has what the code and the pages have", async ({ file, make }) => {
  const page = await make();
  const texts = await onDisk(file, () => page);

  expect(texts.diskText, OLD).toBe(texts.wanted);
});
