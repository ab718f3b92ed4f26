import * as z from "zod";
import type { LinkedAccount } from "./linked-account.ts";
import { seal, unseal, type SealKey } from "./seal.ts";

/** Stored form of an account, with encrypted tokens. */
export const sealedAccount = z.object({
  id: z.string(),
  username: z.string(),
  sealed: z.string(),
  linkedAt: z.number(),
  linkedSince: z.number().exactOptional(),
  revoked: z.string().exactOptional(),
  lastRevocation: z.number().exactOptional(),
});

export type SealedAccount = z.infer<typeof sealedAccount>;

export function sealAccount(account: LinkedAccount, key: SealKey): SealedAccount {
  const { accessToken, accessTokenSecret, ...rest } = account;
  const tokens = JSON.stringify([accessToken, accessTokenSecret]);
  return { ...rest, sealed: seal(tokens, key, account.id) };
}

/**
 * Decrypts an account's tokens.
 *
 * @throws {SealError} if they were encrypted with another key, or for another account.
 */
export function unsealAccount({ sealed, ...rest }: SealedAccount, key: SealKey): LinkedAccount {
  const tokens: unknown = JSON.parse(unseal(sealed, key, rest.id));
  const [accessToken, accessTokenSecret] = Array.isArray(tokens) ? tokens.map(String) : [];
  return { ...rest, accessToken: accessToken ?? "", accessTokenSecret: accessTokenSecret ?? "" };
}
