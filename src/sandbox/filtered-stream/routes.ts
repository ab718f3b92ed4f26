import { assumed } from "../kernel/ledger.ts";
import type { Route } from "../server/route.ts";
import { connect } from "./stream-request.ts";
import { changeRules, countRules, listRules } from "./rule-routes.ts";

const RULES = "/2/posts/search/stream/rules";

const app = {
  auth: ["bearer"],
  ledger: assumed(
    "The interface plans a filtered stream and shows none; the live service's description.",
  ),
} as const;

export const routes: readonly Route[] = [
  {
    method: "GET",
    path: "/2/posts/search/stream",
    ...app,
    limits: { app: 50 },
    handle: connect,
  },
  { method: "GET", path: RULES, ...app, limits: { app: 450 }, handle: listRules },
  { method: "POST", path: RULES, ...app, limits: { app: 100 }, handle: changeRules },
  { method: "GET", path: `${RULES}/counts`, ...app, limits: { app: 75 }, handle: countRules },
];
