import type { Route } from "../../server/route.ts";
import { LEGACY } from "../ledger.ts";
import { legacyBody } from "./respond.ts";

/** Languages, by their code: the language's own name and its English name. */
const LANGUAGES: Readonly<Record<string, readonly [string, string]>> = {
  de: ["Deutsch", "German"],
  en: ["English", "English"],
  es: ["Español", "Spanish"],
  fr: ["Français", "French"],
  it: ["Italiano", "Italian"],
  ja: ["日本語", "Japanese"],
  ko: ["한국어", "Korean"],
  pt: ["Português", "Portuguese"],
  ru: ["Русский", "Russian"],
  tr: ["Türkçe", "Turkish"],
};

/** Route that lists the languages of the platform's pages. */
export const helpRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/1.1/help/languages.json",
    ledger: LEGACY,
    auth: ["oauth1", "bearer"],
    limits: { app: 15, user: 15 },
    handle: () =>
      legacyBody(
        Object.entries(LANGUAGES).map(([code, [local_name, name]]) => ({
          code,
          debug: false,
          local_name,
          name,
          status: "production",
        })),
      ),
  },
];
