import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";

/** Prefix of every key, so that a client can refuse to send one anywhere but to this machine. */
const PREFIX = "sandbox-";

/** A consumer key or client id. */
export function freshKey({ random }: SandboxWorld): string {
  return `${PREFIX}${random.alphanumeric(25)}`;
}

/** A consumer or client secret, as long as the live service's. */
export function freshSecret({ random }: SandboxWorld): string {
  return random.alphanumeric(50);
}

/** An app-only bearer token. */
export function freshBearer({ random }: SandboxWorld): string {
  return `${PREFIX}AAAAAAAAAAAAAAAAAAAAA${random.alphanumeric(60)}`;
}
