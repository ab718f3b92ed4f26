import type { TemplateName } from "../commands/init.ts";
import { ECHO } from "./echo-template.ts";
import { FAQ } from "./faq-template.ts";

export interface Project {
  /** Name of its folder. */
  readonly name: string;
  readonly template: TemplateName;
  /** Of this package. */
  readonly version: string;
}

/** What the templates differ in. */
export interface Template {
  /** Rule files and bots by their paths. */
  readonly files: Readonly<Record<string, string>>;
  /** What to say to the bot, and what comes of it. */
  readonly tries: readonly (readonly [say: string, comes: string])[];
}

const TEMPLATES: Readonly<Record<TemplateName, Template>> = { echo: ECHO, faq: FAQ };

/** The files of a new project by their paths, in the order in which they are best read. */
export function projectFiles({ name, template, version }: Project): Record<string, string> {
  const { files, tries } = TEMPLATES[template];
  const manifest = {
    name: packageName(name),
    private: true,
    type: "module",
    scripts: {
      dev: "answerback dev",
      start: "answerback run",
      check: "answerback check",
    },
    dependencies: { answerback: `^${version}` },
  };
  return {
    "README.md": readme(name, tries),
    "config/answerback.yaml": SETTINGS,
    ...files,
    "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
    ".gitignore": "node_modules/\ndata/\ndata.*/\n.env\n",
  };
}

/** A folder's name as npm takes it. */
function packageName(name: string): string {
  const fit = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return fit === "" || fit === "answerback" ? "my-bot" : fit;
}

const SETTINGS = `# yaml-language-server: $schema=../node_modules/answerback/config/schema/answerback.schema.json
#
# Settings. Paths start from this file's folder; any value can also be given in the environment, as
# ANSWERBACK_TARGET for target.
version: 1

target: sandbox # the platform on this machine; live is the real one

# For target: live, fill in what the developer portal shows, then: answerback login, answerback doctor
#
# platform:
#   base_url: https://api.example.com
# app:
#   consumer_key: \${{ env.CONSUMER_KEY }}
#   consumer_secret: \${{ env.CONSUMER_SECRET }}
#   bearer_token: \${{ env.BEARER_TOKEN }}
# webhook:
#   url: https://bot.example/webhook # public; a proxy passes it on to the next line
#   listen: 127.0.0.1:8080

rules: [../rules/*.yaml]
bots: [../bots/*.ts]
store: file:../data
`;

function readme(name: string, tries: Template["tries"]): string {
  const lines = tries.map(([say, comes]) => `npx answerback ${say}   # ${comes}`).join("\n");
  return `# ${name}

A bot made with Answerback. It runs on this machine, without an account anywhere:

\`\`\`sh
npx answerback dev
\`\`\`

and, in another terminal:

\`\`\`sh
${lines}
\`\`\`

- \`rules/\` says what is answered to what; \`npx answerback check\` says what is wrong there.
- \`bots/\` is for what rules can't say, in TypeScript.
- \`config/answerback.yaml\` holds the settings; with \`target: live\` the bot runs on the real platform.
- \`data/\` is the bot's memory. \`npx answerback dev --fresh\` begins anew and keeps the old one aside.
`;
}
