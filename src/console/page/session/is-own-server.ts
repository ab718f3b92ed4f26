import type { SessionTokens } from "../../sign-in/session-tokens.ts";

/**
 * Returns whether the server at this origin is the console that started the session. While a console is stopped,
 * another user's program may listen at its port. That program must not get the token.
 *
 * A browser without `crypto.subtle` can't check the proof, so it accepts no server. `sign-in.ts` does not sign it in.
 *
 * @throws The error of `fetch` when no server answers.
 */
export async function isOwnServer(
  { proof }: SessionTokens,
  signal?: AbortSignal,
): Promise<boolean> {
  const [id = "", key = ""] = proof.split(".");
  const nonce = Array.from(crypto.getRandomValues(new Uint32Array(4))).join("-");
  const query = new URLSearchParams({ id, nonce }).toString();
  const answer = await fetch(`/_console/proof?${query}`, {
    cache: "no-store",
    signal: signal ?? null,
  });
  if (!answer.ok) return false;
  const proofAnswer: { readonly proof?: unknown } = Object(await answer.json());
  const subtle: SubtleCrypto | undefined = crypto.subtle;
  if (subtle === undefined) return false;
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await subtle.importKey("raw", encoder.encode(key), algorithm, false, ["verify"]);
  return subtle.verify("HMAC", imported, bytesOf(String(proofAnswer.proof)), encoder.encode(nonce));
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
