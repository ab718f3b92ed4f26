import type { World } from "../kernel/world.ts";

/** Stands before every key, so that a client can refuse to send one anywhere but to this machine. */
const PREFIX = "sandbox-";

/** A consumer key or client id. */
export function freshKey({ random }: World): string {
  return `${PREFIX}${random.letters(25)}`;
}

/** A consumer or client secret, as long as the live service's. */
export function freshSecret({ random }: World): string {
  return random.letters(50);
}

/** An app-only bearer token. */
export function freshBearer({ random }: World): string {
  return `${PREFIX}AAAAAAAAAAAAAAAAAAAAA${random.letters(60)}`;
}
