import type { Area } from "../kernel/area.ts";
import { authorizationCodes, requestTokens, sessions } from "./entities.ts";
import { behaviours } from "./ledger.ts";
import { routes } from "./routes.ts";

/** How people sign in to apps: OAuth 1.0a, OAuth 2.0 and the app-only token. */
export const login: Area = {
  name: "login",
  tables: [requestTokens, authorizationCodes, sessions],
  routes,
  behaviours,
};
