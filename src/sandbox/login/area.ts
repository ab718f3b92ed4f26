import type { Area } from "../server/route.ts";
import { authorizationCodes, requestTokens, sessions } from "../model/login.ts";
import { behaviours } from "./ledger.ts";
import { oauth1Routes } from "./oauth1/routes.ts";
import { oauth2Routes } from "./oauth2/routes.ts";

/** Log-in of people to apps: OAuth 1.0a, OAuth 2.0 and the app-only token. */
export const login: Area = {
  name: "login",
  tables: [requestTokens, authorizationCodes, sessions],
  routes: [...oauth1Routes, ...oauth2Routes],
  behaviours,
};
