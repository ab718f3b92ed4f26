import type { AccessLevel } from "../../protocol/access.ts";
import type { UserRow } from "../model/accounts.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import {
  type AccessTokenRow,
  accessTokens,
  type AppRow,
  grantKey,
  userTokens,
} from "../model/apps.ts";

/** Returns the token of a log-in: the existing token for this app, user and level, or a new token. */
export function issueAccessToken(
  sandbox: Sandbox,
  app: AppRow,
  user: UserRow,
  level: AccessLevel = app.level,
): AccessTokenRow {
  const { world } = sandbox;
  const table = accessTokens.in(world);
  const existing = table.where("grant", grantKey(app.id, user.id));
  const same = existing.find((token) => token.level === level && !token.voided);
  if (same !== undefined) return same;
  for (const { token, voided } of existing) if (voided) table.delete(token);
  return table.put({
    token: `${user.id}-${world.random.alphanumeric(40)}`,
    secret: world.random.alphanumeric(45),
    appId: app.id,
    userId: user.id,
    level,
    voided: false,
    createdAt: sandbox.time.now(),
  });
}

/** Returns whether the app has a valid token of the user with exactly this level, so that no new approval is needed. */
export function hasApproved(
  { world }: Sandbox,
  appId: string,
  userId: string,
  level: AccessLevel,
): boolean {
  return accessTokens
    .in(world)
    .where("grant", grantKey(appId, userId))
    .some((token) => token.level === level && !token.voided);
}

/** Deletes all tokens of a user for an app. */
export function dropGrant(sandbox: Sandbox, appId: string, userId: string): void {
  const key = grantKey(appId, userId);
  for (const table of [accessTokens.in(sandbox.world), userTokens.in(sandbox.world)]) {
    for (const { token } of table.where("grant", key)) table.delete(token);
  }
}

/**
 * Voids an app's issued OAuth 1.0a tokens, as a change of its level does.
 *
 * The grants stay: the user still sees the app among the authorized apps.
 */
export function voidTokens({ world }: Sandbox, appId: string): void {
  const table = accessTokens.in(world);
  for (const token of table.where("app", appId)) table.put({ ...token, voided: true });
}
