import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";

/** Prefix of keys and bearer tokens. Clients recognize the prefix and refuse to send such a key to another machine. */
const PREFIX = "sandbox-";

/** Generates a consumer key or client id. */
export function freshKey({ random }: SandboxWorld): string {
  return `${PREFIX}${random.alphanumeric(25)}`;
}

/** Generates a consumer or client secret, as long as the live service's. */
export function freshSecret({ random }: SandboxWorld): string {
  return random.alphanumeric(50);
}

/** Generates an app-only bearer token. */
export function freshBearer({ random }: SandboxWorld): string {
  return `${PREFIX}AAAAAAAAAAAAAAAAAAAAA${random.alphanumeric(60)}`;
}
