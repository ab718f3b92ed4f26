/** The platform of a soak: told where it saves its world, its port, its token and its seed. Prints `ready URL`. */
import { startSandbox } from "../../src/sandbox/index.ts";

const [state = "", port = "", controlToken = "", seed = ""] = process.argv.slice(2);
const sandbox = await startSandbox({
  state,
  port: Number(port),
  controlToken,
  seed,
  settings: { limits: { enabled: false } },
});
process.stdout.write(`ready ${sandbox.url}\n`);
process.once("SIGTERM", () => {
  void sandbox.close().then(() => process.exit(0));
});
