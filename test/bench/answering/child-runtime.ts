import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openAccounts } from "../../../src/runtime/accounts/registry.ts";
import { openRuntime } from "../../../src/host/open-runtime.ts";
import { SECRET } from "../ingest/secret.ts";

/**
 * A whole runtime that answers messages.
 * Arguments: the platform's URL, the URL of the runtime's webhook, the word to answer, and the names of its bots.
 */
const [baseUrl = "", url = "", word = "", ...bots] = process.argv.slice(2);
const RULES = `version: 1
rules:
  - id: hours
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: ${JSON.stringify(word)}}}]
    actions: [{reply_dm: {text: "We open at nine."}}]
`;

const data = await mkdtemp(join(tmpdir(), "answerback-bench-"));
const accounts = await openAccounts(data);
await accounts.put({
  id: "100",
  username: "hello_bot",
  accessToken: "100-token",
  accessTokenSecret: "token-secret",
  linkedAt: Date.now(),
});
const runtime = await openRuntime({
  settings: {
    target: "live",
    platform: { baseUrl },
    app: { consumerKey: "bench", consumerSecret: SECRET, bearerToken: "bench-bearer" },
    webhook: { url, listen: "127.0.0.1:0" },
    bots: bots.map((name) =>
      fileURLToPath(new URL(`../../fixtures/bots/${name}.ts`, import.meta.url)),
    ),
  },
  rules: [{ path: "hours.yaml", text: RULES }],
  data,
});
const { webhook } = await runtime.status();
process.stdout.write(`${webhook.listen}\n`);
let most = 0;
setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss());
}, 50);
for await (const line of createInterface(process.stdin)) {
  if (line === "stop") break;
  const { store, work } = await runtime.status();
  const rss = process.memoryUsage().rss;
  process.stdout.write(`${JSON.stringify({ store, work, rss, most })}\n`);
}
await runtime.stop();
process.exit(0);
