import type { Area } from "../kernel/route.ts";
import { authorizationCodes, requestTokens, sessions } from "./entities.ts";
import { ledger } from "./ledger.ts";
import { routes } from "./routes.ts";

/** How people sign in to apps: OAuth 1.0a, OAuth 2.0 and the app-only token. */
export const login: Area = {
  name: "login",
  tables: [requestTokens, authorizationCodes, sessions],
  routes,
  ledger,
};
