import type { Settings } from "../../config/settings.ts";
import { highestLevel, suffices } from "../../events/needed-level.ts";
import { ACCESS_LEVELS, type AccessLevel } from "../../protocol/access.ts";
import { loginCommand } from "../../runtime/accounts.ts";
import { levelOfSource } from "../check/level-of.ts";
import type { AccountClient } from "./credential-checks.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

/** Names of the permission levels in the developer portal. */
const PORTAL_LEVELS: Readonly<Record<AccessLevel, string>> = {
  read: "Read",
  "read-write": "Read and write",
  "read-write-directmessages": "Read, write and direct messages",
};

/**
 * Compares the permission level of the accounts' tokens with the levels that the rules, the event source and the
 * settings require.
 *
 * @param ofRules Lowest level that the rules need.
 */
export function checkPermission(
  { source, app }: Pick<Settings, "source" | "app">,
  ofRules: AccessLevel,
  accounts: readonly Pick<AccountClient, "username" | "client">[],
): Finding {
  const needed = highestLevel([levelOfSource(source), ofRules]);
  const portal = `in the portal set App permissions: ${PORTAL_LEVELS[needed]}`;
  const { permissionLevel: written } = app;
  const low = accounts.find(({ client }) => !suffices(levelOfTokens(client) ?? needed, needed));
  if (low !== undefined) {
    const level = low.client.accessLevel ?? "";
    const message = `the tokens of @${low.username} may only ${level}; the rules and the source need ${needed}`;
    const fix = `${portal}; then log in again, because tokens keep their level: ${loginCommand(low.username)}`;
    return fail("permission", message, fix);
  }
  const other = accounts.find(({ client }) => (levelOfTokens(client) ?? written) !== written);
  if (written !== undefined && other !== undefined) {
    const message = `app.permission_level is ${written}, and the tokens of @${other.username} have ${other.client.accessLevel ?? ""}`;
    const fix = `correct app.permission_level, or log in again: ${loginCommand(other.username)}`;
    return warn("permission", message, fix);
  }
  const seen = accounts
    .map(({ client }) => levelOfTokens(client))
    .find((level) => level !== undefined);
  const level = seen ?? written;
  if (level === undefined) {
    const message = `not known, because no account has valid tokens; the rules and the source need ${needed}`;
    return warn("permission", message, portal);
  }
  return suffices(level, needed)
    ? ok("permission", `${level}; the rules and the source need ${needed}`)
    : fail(
        "permission",
        `app.permission_level is ${level}; the rules and the source need ${needed}`,
        portal,
      );
}

function levelOfTokens({ accessLevel }: AccountClient["client"]): AccessLevel | undefined {
  return ACCESS_LEVELS.find((level) => level === accessLevel);
}
