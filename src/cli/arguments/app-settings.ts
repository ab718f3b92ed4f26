import { UsageError } from "../../errors.ts";
import type { AppChange } from "../../sandbox/control/objects.ts";
import { didYouMean } from "../../text/did-you-mean.ts";

/** Settings of an app. The type has the compiler compare them with those of the sandbox. */
const SETTINGS: Readonly<Record<keyof AppChange, true>> = {
  name: true,
  icon_url: true,
  description: true,
  website_url: true,
  callback_urls: true,
  terms_url: true,
  privacy_url: true,
  organization_name: true,
  organization_url: true,
  purpose: true,
  permission_level: true,
  email: true,
  sign_in: true,
  oauth1: true,
  oauth2: true,
  oauth2_type: true,
  dialect: true,
  owner_id: true,
  project_id: true,
  suspended: true,
};

/**
 * Parses settings from the words of a command line: `name=value`, with commas in lists.
 *
 * @throws {UsageError} for a word without an equals sign, and for an unknown name.
 */
export function appSettings(words: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    words.map((word) => {
      const equals = word.indexOf("=");
      if (equals <= 0) {
        throw new UsageError(`"${word}" is not a setting`, {
          hint: "write name=value, as in: permission_level=read callback_urls=https://a.example/,https://b.example/",
        });
      }
      const name = word.slice(0, equals);
      if (!Object.hasOwn(SETTINGS, name)) throw unknown(name);
      return [name, valueOf(name, word.slice(equals + 1))];
    }),
  );
}

function unknown(name: string): UsageError {
  const names = Object.keys(SETTINGS);
  const guess = didYouMean(name, names);
  return new UsageError(`there is no setting "${name}"`, {
    hint: guess === undefined ? `settings: ${names.join(", ")}` : `did you mean ${guess}?`,
  });
}

function valueOf(name: string, text: string): unknown {
  if (name === "callback_urls") return text.split(",").filter((url) => url !== "");
  if (text === "true") return true;
  if (text === "false") return false;
  if (text === "null") return null;
  return text;
}
