import { SCOPES } from "../../../src/protocol/access.ts";
import type { TestSandbox } from "./test-sandbox.ts";

/** Adds a user's OAuth 2.0 token to the sandbox's data, as a log-in would; by default with every scope. */
export async function userToken(
  { sandbox, app }: Pick<TestSandbox, "sandbox" | "app">,
  userId: string,
  scopes: readonly string[] = SCOPES,
): Promise<string> {
  const state = await sandbox.control.get<{ tables: Record<string, object[]> }>("/state");
  const token = `user-token-${userId}-${scopes.length}`;
  const row = {
    token,
    appId: app.app_id,
    userId,
    scopes,
    scope: scopes.join(" "),
    expiresAt: Date.now() + 86_400_000,
  };
  state.tables["user_tokens"] = [...(state.tables["user_tokens"] ?? []), row];
  await sandbox.control.call("PUT", "/state", state);
  return token;
}
