import { mkdtemp, rm } from "node:fs/promises";
import { openRuntime } from "answerback";
import { startSandbox } from "answerback/sandbox";

const rules = `
version: 1
rules:
  - id: greet
    triggers: [dm.received]
    actions:
      - reply_dm: { text: "Hello, \${{ sender.name }}!" }
`;

const sandbox = await startSandbox();
const data = await mkdtemp("embedded-");
const runtime = await openRuntime({ sandbox, data, rules: [{ text: rules }] });
const [bot] = (await runtime.status()).accounts;

const ana = await sandbox.control.user("ana", { name: "Ana" });
const answered = new Promise((resolve) => runtime.events.on("item-settled", resolve));
await sandbox.control.act(ana, { type: "dm", to: bot?.id ?? "", text: "hi" });
await answered;
const [item] = await runtime.outbox({ limit: 1 });
console.log(`@${bot?.username} answers:`, item?.action);

await runtime.stop();
await sandbox.close();
await rm(data, { recursive: true });
