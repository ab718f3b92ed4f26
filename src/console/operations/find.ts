import * as z from "zod";
import { ControlConnection } from "../../sandbox/control/connection.ts";
import { traceRows } from "../../insight/traces/rows.ts";
import { type ConsoleNeeds, partsOf } from "../console-needs.ts";
import { pagesWith } from "../pages.ts";
import { operation } from "./operation.ts";
import { traceNeeds } from "./traces/trace.ts";
import { handleOf } from "../../text/handle.ts";

/** A search result: a page, setting, rule, person or trace of the console. */
export interface FoundPlace {
  readonly kind: "page" | "setting" | "rule" | "person" | "trace";
  readonly title: string;
  /** Address of the result in the console. */
  readonly to: string;
}

/** Settings and tasks that the search finds, each with its title and its address in the console. */
const SETTINGS = [
  ["Apps", "/portal"],
  ["Replay what was missed", "/delivery"],
  ["People of the sandbox", "/data/users"],
  ["Posts of the sandbox", "/data/posts"],
  ["Messages of the sandbox", "/data/messages"],
  ["Media of the sandbox", "/data/media"],
  ["Polls of the sandbox", "/data/polls"],
  ["Places of the sandbox", "/data/places"],
  ["Lists of people", "/data/lists"],
  ["Spaces of the sandbox", "/data/spaces"],
  ["Conversions, event tags and app lists", "/ads"],
  ["What waits to be sent", "/outbox?status=pending"],
  ["What was not sent", "/outbox?status=failed"],
  ["Versions, memory and folders", "/log"],
] as const;

/** Titles of the settings of the bot's app in the portal. */
const APP_SETTINGS = {
  details: "App details and icon",
  keys: "Keys and tokens",
  permission: "Permission: what the app may read and write",
  callbacks: "Callback URLs",
  webhooks: "Webhooks",
  subscriptions: "Subscriptions",
  usage: "Usage and limits",
  login: "Log-in tester",
} as const;

/** Maximum number of search results of each kind. */
const MAX_RESULTS_PER_KIND = 5;

/**
 * Finds pages, settings, rules, people and recent traces whose name or text contains the searched words, in any case.
 */
export const find = operation(
  z.strictObject({ text: z.string().max(200) }),
  async (needs, { text }): Promise<readonly FoundPlace[]> => {
    const words = text.trim().toLowerCase();
    const holds = (...names: readonly (string | undefined)[]): boolean =>
      names.some((name) => name?.toLowerCase().includes(handleOf(words)) === true);
    const pages = pagesWith(partsOf(needs));
    const paths = new Set<string>(pages.map(({ path }) => path));
    const foundPlaces: FoundPlace[] = pages
      .filter(({ title }) => holds(title))
      .map(({ title, path }) => ({ kind: "page", title, to: path }));
    if (words === "") return foundPlaces;
    const take = (kind: FoundPlace["kind"], places: readonly Omit<FoundPlace, "kind">[]): void => {
      foundPlaces.push(
        ...places.slice(0, MAX_RESULTS_PER_KIND).map((place) => ({ kind, ...place })),
      );
    };
    take("rule", rulesOf(needs, holds));
    take("person", await peopleOf(needs, holds));
    take("trace", await tracesOf(needs, words));
    take(
      "setting",
      settingsOf(needs).filter(({ title, to }) => holds(title) && paths.has(pageOf(to))),
    );
    return foundPlaces;
  },
);

type Holds = (...names: readonly (string | undefined)[]) => boolean;
type Places = readonly Omit<FoundPlace, "kind">[];

/** Returns the address of a page from an address below it: `/data` from `/data/users`. */
function pageOf(to: string): string {
  return /^\/\w+/.exec(to)?.[0] ?? to;
}

function settingsOf({ sandbox }: ConsoleNeeds): Places {
  const app = sandbox?.app && `/portal/apps/${sandbox.app.id}`;
  const ofApp = app === undefined ? [] : Object.entries(APP_SETTINGS);
  return [
    ...ofApp.map(([part, title]) => ({ title, to: `${app}?part=${part}` })),
    ...SETTINGS.map(([title, to]) => ({ title, to })),
  ];
}

function rulesOf({ runtime }: ConsoleNeeds, holds: Holds): Places {
  const rules = runtime?.rules.ruleset.rules ?? [];
  return rules
    .filter(({ id, name }) => holds(id, name))
    .map(({ id, name }) => ({
      title: name === undefined ? id : `${id}: ${name}`,
      to: `/rules/${encodeURIComponent(id)}`,
    }));
}

async function peopleOf({ sandbox }: ConsoleNeeds, holds: Holds): Promise<Places> {
  if (sandbox === undefined) return [];
  const control = new ControlConnection(sandbox.control.url, sandbox.control.token);
  const { users } = await control.get<{ users: readonly Person[] }>("/users");
  return users
    .filter(({ username, name }) => holds(username, name))
    .map(({ id, username }) => ({ title: `@${username}`, to: `/data/users/${id}` }));
}

interface Person {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

async function tracesOf({ runtime }: ConsoleNeeds, words: string): Promise<Places> {
  if (runtime === undefined) return [];
  const reading = await traceNeeds(runtime);
  const seq = /^#?(\d{1,15})$/.exec(words)?.[1];
  const { rows } =
    seq === undefined
      ? await traceRows(reading, { text: words, limit: MAX_RESULTS_PER_KIND })
      : await traceRows(reading, { before: Number(seq) + 1, limit: 1 });
  return rows
    .filter((row) => seq === undefined || row.seq === Number(seq))
    .map((row) => ({ title: `${row.seq}: ${row.inWords}`, to: `/traces/${row.seq}` }));
}
