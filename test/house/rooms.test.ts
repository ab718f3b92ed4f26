import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";

/** A source file. The tests limit the number of files in a folder, and allow each type name only one meaning. */
interface SourceText {
  readonly folder: string;
  readonly name: string;
  readonly text: string;
}

const MAX_FILES = 24;

/** Type names that may be declared in two parts of the code, because both need the technical term. */
const SHARED_NAMES: readonly string[] = [];

/** Forbidden file names: they do not describe the contents of the file. */
const DRAWERS = /^(utils?|helpers?|common|misc|types|lib|manager)\.ts$/;

let files: readonly SourceText[];
beforeAll(async () => {
  const dirents = await readdir("src", { recursive: true, withFileTypes: true });
  files = await Promise.all(
    dirents
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
      .map(async ({ parentPath, name }) => {
        const text = await readFile(join(parentPath, name), "utf8");
        return { folder: parentPath, name, text };
      }),
  );
});

describe("the house", () => {
  it(`has no folder with more than ${MAX_FILES} files of its own`, () => {
    const sizes = groupBy(files, ({ folder }) => folder);
    const crowded = [...sizes].filter(([, inside]) => inside.length > MAX_FILES);

    expect(crowded.map(([folder]) => folder)).toEqual([]);
  });

  it("has one meaning for each exported type name", () => {
    const declared = files.flatMap(({ folder, name, text }) =>
      [...text.matchAll(/^export (?:abstract )?(?:interface|type|class) ([A-Z]\w*)/gm)].map(
        ([, type]) => ({ type: type ?? "", file: join(folder, name) }),
      ),
    );
    const places = groupBy(declared, ({ type }) => type);
    const twice = [...places].filter(
      ([type, all]) =>
        new Set(all.map(({ file }) => file)).size > 1 && !SHARED_NAMES.includes(type),
    );

    expect(
      twice.map(([type, all]) => `${type}: ${all.map(({ file }) => file).join(", ")}`),
    ).toEqual([]);
  });

  it("gives each exported error class its own name", () => {
    const classes = files.flatMap(({ text }) => [
      ...text.matchAll(/^export class (\w+) extends \w*Error \{(\n.*?)?\}$/gms),
    ]);
    const misnamed = classes.filter(
      ([, type, body = ""]) => /\bname(?:: string)? = "(\w+)"/.exec(body)?.[1] !== type,
    );

    expect(classes.length).toBeGreaterThan(20);
    expect(misnamed.map(([, type]) => type)).toEqual([]);
  });

  it("names files for their contents", () => {
    expect(files.filter(({ name }) => DRAWERS.test(name)).map(({ name }) => name)).toEqual([]);
  });

  it("has no clock in the pure folders, not even in a date without arguments", () => {
    const pure = /^src\/(protocol|events|actions|rules)(\/|$)/;
    const reading = files.filter(
      ({ folder, text }) => pure.test(folder) && /new Date\(\s*\)/.test(text),
    );

    expect(reading.map(({ name }) => name)).toEqual([]);
  });
});

function groupBy<T>(all: readonly T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}
