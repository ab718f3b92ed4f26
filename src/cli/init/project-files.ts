import { INIT_GLOBS } from "../../config/schema/settings-schema.ts";
import { AGENTS } from "./agents-page.ts";
import { CONVERSATION } from "./conversation-template.ts";
import { ECHO } from "./echo-template.ts";
import { FAQ } from "./faq-template.ts";
import { TYPESCRIPT } from "./typescript-template.ts";
import type { ProjectTemplate, TemplateName } from "./project-template.ts";

export interface NewProject {
  /** Name of the project's folder, which becomes the name of its package. */
  readonly name: string;
  readonly template: TemplateName;
  /** Version of this package. */
  readonly version: string;
  /** Whether to add settings of the live platform. */
  readonly live: boolean;
  /** Version ranges of the packages that check and run the project's TypeScript, by name. */
  readonly tools: Readonly<Record<string, string>>;
  /** Schemas for editors, by file name. */
  readonly schemas: Readonly<Record<string, string>>;
}

const TEMPLATES: Readonly<Record<TemplateName, ProjectTemplate>> = {
  echo: ECHO,
  faq: FAQ,
  conversation: CONVERSATION,
  typescript: TYPESCRIPT,
};

/** Files of a new project by path, in a suitable order for reading. */
export function projectFiles({
  name,
  template,
  version,
  live,
  tools,
  schemas,
}: NewProject): Record<string, string> {
  const { files, suggestions } = TEMPLATES[template];
  const hasRules = Object.keys(files).some((file) => file.endsWith(".test.yaml"));
  const manifest = {
    name: packageName(name),
    private: true,
    type: "module",
    scripts: {
      dev: "answerback dev",
      start: live ? "answerback run --live" : "answerback run",
      check: "answerback check && tsc",
      test: hasRules ? "answerback test && npm run -s test:lab" : "npm run -s test:lab",
      "test:lab": "node --import tsx --test test/bot.test.ts",
    },
    dependencies: { answerback: `^${version}` },
    devDependencies: tools,
  };
  return {
    "README.md": readme(name, suggestions),
    "AGENTS.md": AGENTS,
    "config/answerback.yaml": SETTINGS,
    ...files,
    ...Object.fromEntries(
      Object.entries(schemas).map(([schema, text]) => [`config/schema/${schema}`, text]),
    ),
    "tsconfig.json": TSCONFIG,
    "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
    ".gitignore": "node_modules/\ndata/\ndata.*/\n.env\n*.env\n*.backup\n",
  };
}

/** Converts a folder's name to a valid npm package name. */
function packageName(name: string): string {
  const fit = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return fit === "" || fit === "answerback" ? "my-bot" : fit;
}

const TSCONFIG = `{
  "compilerOptions": {
    "target": "es2023",
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "allowImportingTsExtensions": true,
    "noEmit": true,
    "skipLibCheck": true
  },
  "include": ["bots", "test"]
}
`;

const SETTINGS = `# yaml-language-server: $schema=schema/answerback.schema.json
#
# Settings. Paths are relative to this file. Each setting can also be set in the environment, such as
# ANSWERBACK_TARGET for target.
version: 1

target: sandbox # the platform on this machine; settings for the real one are made by: answerback init --live

# A person who writes only one of these words gets no more answers until they write START:
#
# opt_out:
#   words: [stop, unsubscribe]
#   text: You won't hear from us again. Write START to come back.

rules: [${INIT_GLOBS.rules}]
bots: [${INIT_GLOBS.bots}]
store: file:../data
`;

/** Pages that the README of a new project links to, with their titles. */
const GUIDE_PAGES = [
  ["config/guide/rules/write-a-rule.md", "Write a rule"],
  ["config/guide/rules/wait-for-an-answer.md", "Wait for an answer"],
  ["config/guide/rules/test-rules.md", "Test rules"],
  ["bots/guide/first-bot.md", "Write a bot in TypeScript"],
  ["config/guide/operating/why-no-answer.md", "Why was there no answer?"],
  ["config/guide/operating/go-live.md", "Go live"],
  ["config/README.md", "All pages about rules, settings and operating"],
  ["bots/README.md", "All pages about TypeScript"],
] as const;

function readme(name: string, suggestions: ProjectTemplate["suggestions"]): string {
  const lines = suggestions
    .map(([command, outcome]) => `npx answerback ${command}   # ${outcome}`)
    .join("\n");
  return `# ${name}

A bot made with Answerback. It runs on this machine, without an account anywhere:

\`\`\`sh
npx answerback dev
\`\`\`

and, in another terminal:

\`\`\`sh
${lines}
\`\`\`

- \`rules/\` holds the rules that answer; \`npx answerback check\` finds mistakes in them.
- \`*.test.yaml\` beside them are their tests; \`npx answerback test\` runs them and sends nothing.
- \`test/\` holds tests of the whole bot, on a platform of their own: \`npm test\` runs both.
- \`bots/\` holds TypeScript bots for what rules can't do.
- \`config/schema/\` is what editors complete and check these files with; \`npx answerback check --schema\` writes it again.
- \`config/answerback.yaml\` holds the settings; \`npx answerback init --live\` makes \`config/live.yaml\` beside it,
  for the real platform, and says what to do there.
- \`AGENTS.md\` is for coding assistants.
- \`data/\` holds the bot's data. \`npx answerback dev --fresh\` starts with new data and keeps the old.

\`npm install\` in this folder installs Answerback and TypeScript here, and writes \`package-lock.json\`. \`npm run check\`, the
links below and a server need that.

The guide is installed with the package. \`npx answerback docs wait for an answer\` searches it; good pages to begin with:

${GUIDE_PAGES.map(([page, title]) => `- [${title}](node_modules/answerback/${page})`).join("\n")}
`;
}
