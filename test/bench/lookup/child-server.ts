import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startSandbox } from "../../../src/sandbox/index.ts";

/** Response of the plain server, as JSON on the command line. Without this argument, the process runs the sandbox. */
const [answer] = process.argv.slice(2);

if (answer === undefined) {
  const sandbox = await startSandbox();
  const { control } = sandbox;
  await control.call("PATCH", "/settings", { limits: { enabled: false } });
  const app = await control.app();
  const id = await control.user("ana", { name: "Ana" });
  const { port } = new URL(sandbox.url);
  const path = `/2/users/${id}?user.fields=created_at,description,public_metrics`;
  process.stdout.write(
    `${JSON.stringify({ port: Number(port), path, token: app.bearer_token })}\n`,
  );
} else {
  const { headers, body }: { headers: string[]; body: string } = JSON.parse(answer);
  const server = createServer((_, response) => void response.writeHead(200, headers).end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
}
