/** Entry point for other folders: the platform or sandbox that the bot uses, and its quotas. */
export { appAccess } from "./platform/platform-access.ts";
export {
  isAnswering,
  readSandboxFile,
  saveCredentials,
  writeSandboxFile,
} from "./platform/sandbox-file.ts";
export { listSnapshots, readSnapshot, writeSnapshot } from "./platform/snapshots.ts";
export { POLLED_LISTS } from "./polling/lists.ts";
export { capLevel, capLine, monthOf } from "./usage/post-cap.ts";
