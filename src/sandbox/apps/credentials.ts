import * as z from "zod";
import { type UserRow, users } from "../model/accounts.ts";
import { createUser } from "../accounts/users.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { accessTokens, type AppRow, apps, grantKey } from "../model/apps.ts";
import { issueAccessToken } from "./grants.ts";
import { freshBearer, freshKey, freshSecret } from "./secrets.ts";
import { isConfidential } from "./settings.ts";

/** Schema of a request to regenerate or revoke a credential, as on the developer portal's page of keys. */
export const credentialInput = z.strictObject({
  kind: z.enum(["api_key", "bearer", "access_token", "client_secret"]),
  do: z.enum(["regenerate", "revoke"]),
});

type Wire = Readonly<Record<string, unknown>>;

/**
 * Regenerates or revokes a credential. The old credential stops working at once.
 *
 * @returns the new secret, shown only once, or `{revoked: true}`.
 * @throws {ApiError} 400 if the app has no such credential.
 */
export function changeCredential(
  sandbox: Sandbox,
  app: AppRow,
  input: z.infer<typeof credentialInput>,
): Wire {
  const fresh = input.do === "regenerate";
  switch (input.kind) {
    case "api_key":
      return apiKey(sandbox, app, fresh);
    case "bearer":
      return bearer(sandbox, app, fresh);
    case "client_secret":
      return clientSecret(sandbox, app, fresh);
    case "access_token":
      return ownerToken(sandbox, app, fresh);
  }
}

const REVOKED: Wire = { revoked: true };

function apiKey({ world }: Sandbox, app: AppRow, fresh: boolean): Wire {
  const consumerKey = fresh ? freshKey(world) : "";
  const consumerSecret = fresh ? freshSecret(world) : "";
  apps.in(world).put({ ...app, consumerKey, consumerSecret });
  return fresh ? { consumer_key: consumerKey, consumer_secret: consumerSecret } : REVOKED;
}

function bearer({ world }: Sandbox, app: AppRow, fresh: boolean): Wire {
  const bearerToken = fresh ? freshBearer(world) : "";
  apps.in(world).put({ ...app, bearerToken });
  return fresh ? { bearer_token: bearerToken } : REVOKED;
}

function clientSecret({ world }: Sandbox, app: AppRow, fresh: boolean): Wire {
  if (!isConfidential(app)) {
    throw ApiError.control(
      400,
      "public_client",
      `An app of the type ${app.oauth2Type} has no client secret; set oauth2_type to web or bot.`,
    );
  }
  const secret = fresh ? freshSecret(world) : "";
  apps.in(world).put({ ...app, clientSecret: secret });
  return fresh ? { client_id: app.clientId, client_secret: secret } : REVOKED;
}

/** Regenerates or revokes the access token that the portal issues for the app's owner. */
function ownerToken(sandbox: Sandbox, app: AppRow, fresh: boolean): Wire {
  const { world } = sandbox;
  const owner = ownerOf(sandbox, app);
  const table = accessTokens.in(world);
  for (const { token } of table.where("grant", grantKey(app.id, owner.id))) table.delete(token);
  if (!fresh) return REVOKED;
  const issued = issueAccessToken(sandbox, app, owner);
  return { access_token: issued.token, access_token_secret: issued.secret };
}

/** Returns the app's owner. Creates a user as the owner if the app has none. */
function ownerOf(sandbox: Sandbox, app: AppRow): UserRow {
  const { world } = sandbox;
  const owner = app.ownerId === undefined ? undefined : users.in(world).get(app.ownerId);
  if (owner !== undefined) return owner;
  const developer = createUser(sandbox, {
    username: `dev_${world.random.alphanumeric(8)}`,
    name: `Developer of ${app.name}`.slice(0, 50),
    password: world.random.alphanumeric(20),
  });
  apps.in(world).put({ ...app, ownerId: developer.id });
  return developer;
}
