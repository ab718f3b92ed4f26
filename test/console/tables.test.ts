import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ShownSandbox } from "../../src/console/console-needs.ts";
import { adsParts } from "../../src/console/operations/tables/ads-tables.ts";
import { endpoints } from "../../src/console/operations/endpoints.ts";
import {
  DATA_KINDS,
  type DataKind,
  DATA_TABLES,
} from "../../src/console/operations/tables/data-kinds.ts";
import { DATA_OBJECTS } from "../../src/console/operations/tables/data-objects.ts";
import { DATA_FORMS, makeOf } from "../../src/console/operations/tables/makers.ts";
import { type DataScene, sceneOf } from "../../src/console/operations/tables/scene.ts";
import type { ShownForm, TableCell } from "../../src/console/operations/tables/table.ts";
import { openLog } from "../../src/runtime/log.ts";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

/** Returns the data of the sandbox, for a console that has no bot. */
function scene(): Promise<DataScene> {
  const { url: baseUrl, adsUrl, control } = sandbox;
  const shown: ShownSandbox = { baseUrl, adsUrl, control };
  return sceneOf({ sandbox: shown, log: openLog({ level: "silent" }) });
}

/** Submits a form with its initial values, except for those in `fieldValues`. */
async function fill(
  form: ShownForm,
  fieldValues: Readonly<Record<string, string>> = {},
): Promise<string> {
  const values = form.fields.map(({ name, value = "", options }) => [
    name,
    fieldValues[name] ?? options?.[0]?.[0] ?? value,
  ]);
  return makeOf(await scene(), form.what, Object.fromEntries(values));
}

/** Creates an object of a kind with the kind's form. */
async function make(kind: DataKind, values: Readonly<Record<string, string>>): Promise<string> {
  return fill(DATA_FORMS[kind](await scene()), values);
}

function wordsOf(cells: readonly TableCell[]): string {
  return cells
    .flatMap((cell) => (typeof cell !== "object" ? cell : "text" in cell ? cell.text : []))
    .join(" ");
}

async function latestOf(kind: DataKind): Promise<{ id: string; words: string }> {
  const [row] = (await DATA_TABLES[kind](await scene())).rows;
  if (row === undefined) throw new Error(`no ${kind}`);
  return { id: row.id, words: wordsOf(row.cells) };
}

/** Form values for one object of each kind, in an order in which they can be created, and the resulting row. */
const MADE: readonly (readonly [DataKind, Readonly<Record<string, string>>, RegExp])[] = [
  ["users", { username: "ben", name: "Ben" }, /^@ben Ben 0 0/],
  ["users", { username: "@ana" }, /^@ana ana 0 0/],
  ["posts", { text: "hello" }, /@ben hello/],
  ["messages", { text: "good morning" }, /@ben @ana good morning/],
  ["polls", { text: "Tea?", options: "tea, coffee," }, /^tea, coffee 0 open/],
  ["media", {}, /tweet_image ready 70 @ben/],
  ["places", {}, /^Bonn, Germany city Germany/],
  ["lists", { name: "regulars" }, /^regulars @ben 0 0 everybody/],
  ["spaces", { title: "Evening" }, /^Evening @ben live/],
];

describe("the sandbox's data as the console shows it", () => {
  it("shows for each kind that there is no object yet, and how to create one", async () => {
    for (const kind of DATA_KINDS) {
      const { rows, empty } = await DATA_TABLES[kind](await scene());
      expect(rows, kind).toEqual([]);
      expect(empty, kind).toMatch(/yet\..*(with the form|above)/);
    }
  });

  it("creates an object of each kind by its form, with its own app if there is no bot", async () => {
    for (const [kind, values, words] of MADE) {
      expect(await make(kind, values), kind).toMatch(/\.$/);
      expect((await latestOf(kind)).words, kind).toMatch(words);
    }
    expect(await sandbox.control.apps()).toMatchObject([{ name: "Console" }]);
  });

  it("shows each object at its own URL, with a link to the platform and its actions", async () => {
    for (const [kind, values] of MADE) await make(kind, values);
    const [post] = await sandbox.control.objects("polls");
    for (const kind of DATA_KINDS) {
      const { id } = await latestOf(kind);
      const { facts, forms, lookUp } = await DATA_OBJECTS[kind](await scene(), id);
      expect(facts.length, kind).toBeGreaterThan(1);
      for (const form of forms) expect(await fill(form, WORDS), form.title).toMatch(/\.$/);
      if (lookUp === undefined) continue;
      const { path, ticked = [], as } = lookUp;
      const query = ticked.length === 0 ? "" : `?expansions=${ticked.join(",")}`;
      const { perform } = await scene();
      const answer = await perform({ method: "GET", path: `${path}${query}`, as });
      expect(answer, kind).toMatchObject({ data: { id: expect.stringMatching(/\S/) } });
      expect(answer, kind).not.toHaveProperty("errors");
    }
    const polls = await DATA_OBJECTS.polls(await scene(), post?.id ?? "");
    expect(polls.facts).toContainEqual(["tea", [1]]);
    expect((await sandbox.control.objects("media"))[0]).toMatchObject({ alt_text: "a dot" });
  });

  it("refuses in a sentence", async () => {
    await make("users", { username: "ana" });
    await expect(DATA_OBJECTS.polls(await scene(), "5")).rejects.toThrow("no poll 5");
    const form = DATA_FORMS.lists(await scene());
    await expect(fill(form, { name: "n".repeat(26) })).rejects.toThrow(/name/);
    await expect(fill(form, { name: " " })).rejects.toThrow("name: fill it in");
    await expect(makeOf(await scene(), "nothing", {})).rejects.toThrow("nothing makes nothing");
  });

  it("creates its app again after a reset of the sandbox", async () => {
    for (const name of ["regulars", "strangers"]) {
      await sandbox.reset();
      await make("users", { username: "ana" });
      await make("lists", { name });
      expect(await sandbox.control.objects("lists")).toMatchObject([{ name }]);
    }
  });
});

describe("the platform's endpoints as the console calls them", () => {
  it("has those of version 2 first, and a body to begin with where people write most", async () => {
    const { url: baseUrl, adsUrl, control } = sandbox;
    const needs = { sandbox: { baseUrl, adsUrl, control }, log: openLog({ level: "silent" }) };
    const all = await endpoints.answer(needs, {});
    const first = all.findIndex(({ path }) => !path.startsWith("/2/"));

    expect(all.slice(first).filter(({ path }) => path.startsWith("/2/"))).toEqual([]);
    expect(all.filter(({ path }) => path.startsWith("/_sandbox"))).toEqual([]);
    const withBody = all.filter(({ example }) => example !== undefined);
    expect(withBody).toHaveLength(17);
    for (const { example = "", path } of withBody) {
      expect(Object.keys(JSON.parse(example)), path).not.toEqual([]);
    }
  });
});

describe("advertising as the console shows it", () => {
  const parts = async () => adsParts(await scene(), await sandbox.control.ads());
  const part = async (title: string) => {
    const match = (await parts()).find((one) => one.title === title);
    if (match === undefined) throw new Error(`no ${title}`);
    return match;
  };
  const rowsOf = async (title: string) =>
    (await part(title)).table.rows.map(({ cells }) => wordsOf(cells));
  const makePart = async (title: string, values: Readonly<Record<string, string>> = {}) =>
    fill((await part(title)).form, values);

  it("makes one of each kind by its form, and deletes what the platform deletes", async () => {
    await make("users", { username: "ana" });
    for (const { title, table } of await parts()) {
      expect(table.rows, title).toEqual([]);
      expect(table.empty, title).toContain("with the form above");
    }
    expect(await makePart("Views and clicks", { campaign: "Autumn" })).toBe(
      "A click of device-1 is kept.",
    );
    expect(await makePart("Event tags")).toBe("The tag First start is created.");
    expect(await makePart("App lists", { name: "rivals", apps: "1, com.example" })).toMatch(
      "rivals",
    );
    expect(await makePart("Accounts", { name: "Second" })).toBe("The account Second is created.");

    expect(await rowsOf("Views and clicks")).toEqual([
      expect.stringMatching(/^click device-1 \d+ Autumn 0$/),
    ]);
    expect(await rowsOf("App lists")).toEqual([expect.stringContaining("rivals 1, com.example")]);
    for (const title of ["Event tags", "App lists"]) {
      const [row] = (await part(title)).table.rows;
      await makeOf(await scene(), row?.remove?.what ?? "", row?.remove?.values);
      expect((await rowsOf(title))[0], title).toContain("deleted");
      expect((await part(title)).table.rows[0]?.remove, title).toBeUndefined();
    }
  });

  it("reports conversions, and says what has them", async () => {
    await make("users", { username: "ana" });
    await makePart("Views and clicks", { campaign: "Autumn" });
    expect(await makePart("Conversions", { device: "another" })).toContain("no view or click");
    expect(await makePart("Conversions")).toBe(
      "Reported. The conversion is attributed to a click.",
    );
    expect(await rowsOf("Conversions")).toEqual([
      expect.stringContaining("INSTALL device-1"),
      expect.stringContaining("another 1234567890, IOS nobody @ana"),
    ]);
    await expect(makePart("Conversions", { clicks: "1", views: "7" })).rejects.toThrow(
      "at most click_window",
    );
  });
});

const WORDS = { text: "a dot" };
