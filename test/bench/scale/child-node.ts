import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openAccounts } from "../../../src/runtime/accounts/registry.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { openRuntimeOver } from "../../../src/host/open-runtime.ts";
import { openStore } from "../../../src/runtime/store/open.ts";
import { SECRET } from "../ingest/secret.ts";
import { accountsFor } from "./accounts.ts";

/**
 * A process of the bot. Arguments: the platform's URL, the webhook's URL, role, name, the store (empty for a separate
 * folder) and the number of accounts. Prints its address, and after each line of input its counters.
 */
const [baseUrl = "", webhookUrl = "", role = "all", processName = "", store = "", accounts = "1"] =
  process.argv.slice(2);
const RULES = `version: 1
rules:
  - id: hours
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: open}}]
    actions: [{reply_dm: {text: "We open at nine."}}]
`;

const data = await mkdtemp(join(tmpdir(), "answerback-bench-"));
if (store === "") {
  const linked = await openAccounts(data);
  for (const account of accountsFor(Number(accounts))) await linked.put(account);
}
let statements = 0;
const runtime = await openRuntimeOver(
  {
    settings: {
      target: "live",
      platform: { baseUrl },
      app: { consumerKey: "bench", consumerSecret: SECRET, bearerToken: "bench-bearer" },
      webhook: { url: webhookUrl, listen: "127.0.0.1:0" },
      limits: { replies: "none", loop: "none", equalReplies: "none" },
      ...(store !== "" && { store, role: roleOf(role), processName }),
    },
    rules: [{ path: "hours.yaml", text: RULES }],
    data,
    log: openLog({
      level: "error",
      destination: { write: (line) => void process.stderr.write(line) },
    }),
  },
  {
    openStore: (url, options) =>
      openStore(url, {
        ...options,
        postgres: { ...options.postgres, onStatement: () => void (statements += 1) },
      }),
  },
);
const { webhook } = await runtime.status();
process.stdout.write(`${webhook.listen}\n`);
for await (const line of createInterface(process.stdin)) {
  if (line !== "state") break;
  const { store: counts, accounts: linked } = await runtime.status();
  const subscribed = linked.filter((one) => one.subscribed).length;
  process.stdout.write(`${JSON.stringify({ statements, store: counts, subscribed })}\n`);
}
await runtime.stop();
process.exit(0);

function roleOf(word: string): "receiver" | "worker" | "all" {
  return word === "receiver" || word === "worker" ? word : "all";
}
