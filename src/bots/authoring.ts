/** Exports that most bot modules need. This module loads in half the time of the whole package. */
export { defineBot } from "./define.ts";
export { createBot } from "./composing/create-bot.ts";
export { createComposer } from "./composing/composer.ts";
export { StepCutOffError } from "./durable/step-end.ts";
export { defineState } from "./durable/state-key.ts";
export { createThread, ThreadError } from "../client/public-text/create-thread.ts";
export {
  CredentialError,
  LoginError,
  PlatformError,
  ProtocolError,
  RateLimitError,
  UnreachableError,
} from "../client/errors.ts";
export { UsageError } from "../errors.ts";
