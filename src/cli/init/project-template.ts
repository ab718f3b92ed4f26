/** Templates of `init`, the default first. */
export const TEMPLATE_LIST = [
  { name: "echo", description: "greets by a rule, and repeats other messages in TypeScript" },
  { name: "faq", description: "answers questions by rules, and looks up orders in TypeScript" },
  { name: "conversation", description: "books a table by rules: asks, waits and remembers" },
  { name: "typescript", description: "plays a guessing game in TypeScript" },
] as const;

export type TemplateName = (typeof TEMPLATE_LIST)[number]["name"];

export const TEMPLATE_NAMES: readonly TemplateName[] = TEMPLATE_LIST.map(({ name }) => name);

/** Files and suggestions of a template. */
export interface ProjectTemplate {
  /** Contents of the rule files and bots, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Commands to try, each with the bot's reaction. */
  readonly suggestions: readonly (readonly [command: string, outcome: string])[];
}

/** Text of a test file that starts a lab with the project's settings and runs `tests`. */
export function labTest(tests: string): string {
  return `import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Lab, startLab } from "answerback/testing";

let lab: Lab;
before(async () => {
  lab = await startLab({ settings: "config/answerback.yaml" });
});
after(() => lab.stop());

${tests}`;
}
