/** Templates of `init`, the default first. */
export const TEMPLATE_NAMES = ["echo", "faq", "conversation", "typescript"] as const;

export type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** Files and suggestions of a template. */
export interface ProjectTemplate {
  /** Rule files and bots by their paths. */
  readonly files: Readonly<Record<string, string>>;
  /** Commands to try, and the bot's reactions. */
  readonly suggestions: readonly (readonly [command: string, outcome: string])[];
}

/** Text of a test file that starts a lab with the project's settings. */
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
