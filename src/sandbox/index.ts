/** The platform on this machine, for tests of anything that uses it. */
export { readyLine, startSandbox } from "./start.ts";
export type { RunningSandbox, SandboxOptions } from "./start.ts";
export { ControlClient, ControlError } from "./control/client.ts";
export type { SettingsPatch } from "./kernel/settings.ts";
