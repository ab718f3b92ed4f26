/**
 * Sandbox of a soak test. Arguments: the file for its state (empty for none), its port and its seed. Prints `ready` and
 * its token.
 */
import { startSandbox } from "../../src/sandbox/index.ts";

const [state = "", port = "", seed = ""] = process.argv.slice(2);
const sandbox = await startSandbox({
  ...(state !== "" && { state }),
  port: Number(port),
  seed,
  settings: { limits: { enabled: false } },
});
process.stdout.write(`ready ${sandbox.control.token}\n`);
process.once("SIGTERM", () => {
  void sandbox.close().then(() => process.exit(0));
});
