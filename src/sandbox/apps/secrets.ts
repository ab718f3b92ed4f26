import type { World } from "../kernel/world.ts";

/** A consumer key. Lengths of keys, secrets and tokens are those of the live service. */
export function freshKey({ random }: World): string {
  return random.letters(25);
}

/** A consumer or client secret. */
export function freshSecret({ random }: World): string {
  return random.letters(50);
}

/** An app-only bearer token. */
export function freshBearer({ random }: World): string {
  return `AAAAAAAAAAAAAAAAAAAAA${random.letters(60)}`;
}
