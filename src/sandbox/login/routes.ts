import type { Route } from "../kernel/http/route.ts";
import { oauth1Routes } from "./oauth1/routes.ts";
import { oauth2Routes } from "./oauth2/routes.ts";

export const routes: readonly Route[] = [...oauth1Routes, ...oauth2Routes];
