import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLog } from "../../src/runtime/log.ts";
import type { Runtime } from "../../src/host/open.ts";
import { openRuntime } from "../../src/host/open-runtime.ts";
import { startSandbox, type RunningSandbox } from "../../src/sandbox/index.ts";

/** Rule with a `call` step before its answer to a message. If the text begins with "hold", the call waits. */
const RULES = `version: 1
rules:
  - id: every
    triggers: [dm.received]
    actions:
      - call: ./wait.mjs#wait
        with: {text: "\${{ message.text }}"}
        timeout: 10m
      - reply_dm: "re \${{ message.text }}"
`;

const WAIT = `import { existsSync, watch } from "node:fs";
const folder = new URL(".", import.meta.url);
const there = (name) => existsSync(new URL(name, folder));
export async function wait({ text }) {
  if (!text.startsWith("hold")) return;
  const name = text.replace(" ", "-") + ".go";
  await new Promise((resolve) => {
    const watching = watch(folder, () => there(name) && done());
    const done = () => (watching.close(), resolve());
    if (there(name)) done();
  });
}
`;

/** Person, and the account with which the person talks. */
export interface Conversation {
  readonly person: string;
  readonly account: string;
  /** Name of the lane (all events between this person and this account are processed in order). */
  readonly lane: string;
}

/** Conversations of many people with a runtime in this process. Tests can hold back steps of the answering rule. */
export interface HeldConversations {
  readonly sandbox: RunningSandbox;
  readonly runtime: Runtime;
  readonly conversations: readonly Conversation[];
  say(conversation: Conversation, text: string): Promise<unknown>;
  /** Texts that the accounts have written so far, by lane (conversation), in the platform's order. */
  answers(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Lets the `call` step for the message "hold NAME" end. */
  release(name: string): Promise<void>;
  close(): Promise<void>;
}

const ACCOUNTS = 10;

/** Opens a runtime with `count` conversations, spread over ten accounts. */
export async function heldConversations(count: number): Promise<HeldConversations> {
  const folder = await mkdtemp(join(tmpdir(), "answerback-order-"));
  await writeFile(join(folder, "rules.yaml"), RULES);
  await writeFile(join(folder, "wait.mjs"), WAIT);
  const sandbox = await startSandbox({ settings: { limits: { enabled: false } } });
  const runtime = await openRuntime({
    sandbox,
    cwd: folder,
    environment: {},
    rules: ["rules.yaml"],
    settings: {
      accounts: Array.from({ length: ACCOUNTS }, (_, n) => `bot_${n}`),
      limits: { replies: "none", equalReplies: "none" },
    },
    log: openLog({ level: "silent" }),
  });
  const { accounts } = await runtime.status();
  const people = Array.from({ length: Math.ceil(count / ACCOUNTS) }, (_, n) =>
    sandbox.control.user(`person_${n}`),
  );
  const conversations = (await Promise.all(people))
    .flatMap((person) =>
      accounts.map(({ id }) => ({ person, account: id, lane: `${id}/${person}` })),
    )
    .slice(0, count);
  return {
    sandbox,
    runtime,
    conversations,
    say: ({ person, account }, text) =>
      sandbox.control.act(person, { type: "dm", to: account, text }),
    answers: async () => answersIn(await sandbox.control.get("/state"), conversations),
    release: (name) => writeFile(join(folder, `hold-${name}.go`), ""),
    async close() {
      await runtime.stop();
      await sandbox.close();
      await rm(folder, { recursive: true });
    },
  };
}

interface State {
  readonly tables: {
    readonly messages: readonly {
      readonly senderId: string;
      readonly recipientId?: string;
      readonly text: string;
    }[];
  };
}

function answersIn(
  { tables }: State,
  conversations: readonly Conversation[],
): ReadonlyMap<string, readonly string[]> {
  const lanes = new Set(conversations.map(({ lane }) => lane));
  const answers = new Map<string, string[]>();
  for (const { senderId, recipientId, text } of tables.messages) {
    const lane = `${senderId}/${recipientId}`;
    if (!lanes.has(lane)) continue;
    answers.set(lane, [...(answers.get(lane) ?? []), text]);
  }
  return answers;
}
