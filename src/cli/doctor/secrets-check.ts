import type { Settings } from "../../config/settings.ts";
import { isPostgresUrl, passwordsIn } from "../../system/postgres-url.ts";
import type { Io } from "../io.ts";
import { type Finding, ok, warn } from "./finding.ts";

const KEY = "ANSWERBACK_KEY";

/**
 * Lists the secrets that a process with these settings has. Warns if a process with the role `receiver` has
 * `ANSWERBACK_KEY`.
 */
export function checkSecrets({ env }: Pick<Io, "env">, settings: Settings): Finding {
  const { app, console, role, secrets, store } = settings;
  const isSet = (name: string): boolean => (env[name] ?? "") !== "";
  const hasPassword =
    isPostgresUrl(store.url) && (passwordsIn(store.url).length > 0 || isSet("PGPASSWORD"));
  const held = [
    ...(isSet(KEY) ? [KEY] : []),
    ...(app.consumerSecret === undefined ? [] : ["the app's consumer secret"]),
    ...(app.bearerToken === undefined ? [] : ["the app's bearer token"]),
    ...(console.adminToken === undefined ? [] : ["console.admin_token"]),
    ...(hasPassword ? ["the database's password"] : []),
    ...(secrets.listed ?? []).filter(isSet),
  ];
  const message = `role ${role}: ${held.length === 0 ? "none" : held.join(", ")}`;
  return role === "receiver" && isSet(KEY)
    ? warn(
        "secrets",
        `${message}; a receiver opens no tokens`,
        `leave ${KEY} out of its environment`,
      )
    : ok("secrets", message);
}
