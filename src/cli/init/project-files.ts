import { ECHO } from "./echo-template.ts";
import { FAQ } from "./faq-template.ts";
import type { ProjectTemplate, TemplateName } from "./project-template.ts";

export interface NewProject {
  /** Name of its folder. */
  readonly name: string;
  readonly template: TemplateName;
  /** Of this package. */
  readonly version: string;
}

const TEMPLATES: Readonly<Record<TemplateName, ProjectTemplate>> = { echo: ECHO, faq: FAQ };

/** The files of a new project by their paths, in the order in which they are best read. */
export function projectFiles({ name, template, version }: NewProject): Record<string, string> {
  const { files, suggestions } = TEMPLATES[template];
  const manifest = {
    name: packageName(name),
    private: true,
    type: "module",
    scripts: {
      dev: "answerback dev",
      start: "answerback run",
      check: "answerback check",
      test: "answerback test",
    },
    dependencies: { answerback: `^${version}` },
  };
  return {
    "README.md": readme(name, suggestions),
    "config/answerback.yaml": SETTINGS,
    ...files,
    "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
    ".gitignore": "node_modules/\ndata/\ndata.*/\n.env\n",
  };
}

/** A folder's name as a valid npm package name. */
function packageName(name: string): string {
  const fit = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return fit === "" || fit === "answerback" ? "my-bot" : fit;
}

const SETTINGS = `# yaml-language-server: $schema=../node_modules/answerback/config/schema/answerback.schema.json
#
# Settings. Paths are relative to this file. Each setting can also be set in the environment, such as
# ANSWERBACK_TARGET for target.
version: 1

target: sandbox # the platform on this machine; live: the real one

# For target: live, fill in the values of the developer portal, then run: answerback login, answerback doctor
#
# platform:
#   base_url: https://api.example.com
# app:
#   consumer_key: \${{ env.CONSUMER_KEY }}
#   consumer_secret: \${{ env.CONSUMER_SECRET }}
#   bearer_token: \${{ env.BEARER_TOKEN }}
# webhook:
#   url: https://bot.example/webhook # public; a proxy forwards it to webhook.listen
#   listen: 127.0.0.1:8080

rules: [../rules/*.yaml]
bots: [../bots/*.ts]
store: file:../data
`;

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
- \`*.test.yaml\` beside them hold what they are to do; \`npx answerback test\` tries it, and nothing is sent.
- \`bots/\` holds TypeScript bots for what rules can't do.
- \`config/answerback.yaml\` holds the settings; with \`target: live\` the bot runs on the real platform.
- \`data/\` holds the bot's data. \`npx answerback dev --fresh\` starts with new data and keeps the old.
`;
}
