import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readSource, type SizedPart, type SourceFacts } from "./read-source.ts";

/** Number that measures the structure of the code, such as the number of small files. */
export interface HouseFigure {
  readonly value: number;
  /** Counted places, one a line; absent if only a total is counted. */
  readonly places?: readonly string[];
}

const MAX_FUNCTION_LINES = 60;
const MAX_MEMBERS = 12;
/** A file with fewer lines counts as small. */
const SMALL_FILE_LINES = 25;

/** Layers of `src`, highest first: a file may import from its own layer and from lower ones. */
const FLOORS = [
  ["cli", "packaging", "index.ts"],
  ["testing"],
  ["host"],
  ["console"],
  ["insight"],
  ["runtime"],
  ["chat-sdk"],
  ["rules"],
  ["bots"],
  ["actions"],
  ["sandbox"],
  ["client", "config", "events"],
  ["protocol", "text", "hours", "system", "docs", "errors.ts"],
];

/** Names of the figures, in the order in which they are shown. */
export const FIGURE_NAMES = [
  "two_way_pairs",
  "two_way_pairs_sandbox",
  "two_way_pairs_rules",
  "upward_imports",
  "long_functions",
  "large_interfaces",
  "small_files",
  "small_files_beside",
  "doors_runtime",
  "doors_client",
  "doors_rules",
  "doors_sandbox",
  "doors_console",
  "source_lines",
  "readme_words",
] as const;

export type FigureName = (typeof FIGURE_NAMES)[number];

export type HouseFigures = Readonly<Record<FigureName, HouseFigure>>;

/** Computes all figures of the project in a folder. */
export async function figuresOf(project: string): Promise<HouseFigures> {
  const files = await readSource(project);
  const pairs = twoWayPairs(files);
  const within = (folder: string) => pairs.filter(({ parent }) => parent === folder);
  const textOf = (some: typeof pairs) => listed(some.map(({ text }) => text));
  const readme = await readFile(join(project, "src/README.md"), "utf8");
  return {
    two_way_pairs: textOf(pairs),
    two_way_pairs_sandbox: textOf(within("src/sandbox")),
    two_way_pairs_rules: textOf(within("src/rules")),
    upward_imports: listed(upwardImports(files)),
    long_functions: listed(larger(files, "functions", MAX_FUNCTION_LINES)),
    large_interfaces: listed(larger(files, "interfaces", MAX_MEMBERS)),
    small_files: listed(smallFiles(files).map(({ text }) => text)),
    small_files_beside: listed(
      smallFiles(files)
        .filter(({ isBeside }) => isBeside)
        .map(({ text }) => text),
    ),
    // `host` assembles all parts of the runtime, so its imports of runtime files do not count
    doors_runtime: listed(doors(files, "runtime", ["host"])),
    doors_client: listed(doors(files, "client")),
    doors_rules: listed(doors(files, "rules")),
    doors_sandbox: listed(doors(files, "sandbox")),
    doors_console: listed(doors(files, "console")),
    source_lines: { value: files.reduce((sum, { lines }) => sum + lines, 0) },
    readme_words: { value: readme.split(/\s+/).filter((word) => word !== "").length },
  };
}

function listed(places: readonly string[]): HouseFigure {
  return { value: places.length, places: [...places].sort() };
}

/** Returns the first segment of a path below `src`: a folder's name, or the name of a file directly in `src`. */
function topOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/** Pairs of sibling folders whose files import each other, at any depth. */
function twoWayPairs(files: readonly SourceFacts[]) {
  const arrows = new Map<string, { parent: string; from: string; to: string; count: number }>();
  for (const { path, imports } of files) {
    for (const imported of imports) {
      const [here, there] = [path.split("/"), imported.split("/")];
      const depth = here.findIndex((segment, index) => segment !== there[index]);
      // counts only imports between two folders, not those between a folder and a file beside it
      if (depth < 0 || depth >= here.length - 1 || depth >= there.length - 1) continue;
      const parent = here.slice(0, depth).join("/");
      const [from = "", to = ""] = [here[depth], there[depth]];
      const key = `${parent}:${from}>${to}`;
      arrows.set(key, { parent, from, to, count: (arrows.get(key)?.count ?? 0) + 1 });
    }
  }
  return [...arrows.values()].flatMap(({ parent, from, to, count }) => {
    const back = arrows.get(`${parent}:${to}>${from}`);
    if (back === undefined || from > to) return [];
    const text = `${parent}: ${from} -> ${to} (${count}), ${to} -> ${from} (${back.count})`;
    return [{ parent, text }];
  });
}

/** Finds imports from a layer to a higher one, and imports between folders of which one is in no layer. */
function upwardImports(files: readonly SourceFacts[]): readonly string[] {
  const floorOf = (path: string) => FLOORS.findIndex((floor) => floor.includes(topOf(path)));
  return files.flatMap(({ path, imports }) =>
    imports
      .filter((imported) => topOf(imported) !== topOf(path))
      .filter((imported) => {
        const [here, there] = [floorOf(path), floorOf(imported)];
        return here < 0 || there < here;
      })
      .map((imported) => `${path} -> ${imported}`),
  );
}

function larger(
  files: readonly SourceFacts[],
  kind: "functions" | "interfaces",
  most: number,
): readonly string[] {
  const textOf = (path: string, { name, line, size }: SizedPart) =>
    `${path}:${line} ${name} (${size})`;
  return files.flatMap((file) =>
    file[kind].filter(({ size }) => size > most).map((part) => textOf(file.path, part)),
  );
}

/** Small files that exactly one other file imports, and whether that file is in the same folder. */
function smallFiles(files: readonly SourceFacts[]) {
  const importers = importersIn(files);
  return files.flatMap(({ path, lines }) => {
    const [importer, ...others] = importers.get(path) ?? [];
    if (lines >= SMALL_FILE_LINES || importer === undefined || others.length > 0) return [];
    const isBeside = dirname(importer) === dirname(path);
    return [{ isBeside, text: `${path} (${lines}) <- ${importer}` }];
  });
}

/** Files of a top folder that files of other top folders import, except folders in `inside`. */
function doors(
  files: readonly SourceFacts[],
  top: string,
  inside: readonly string[] = [],
): readonly string[] {
  return [...importersIn(files)]
    .filter(
      ([path, importers]) =>
        topOf(path) === top && importers.some((one) => ![top, ...inside].includes(topOf(one))),
    )
    .map(([path]) => path);
}

function importersIn(files: readonly SourceFacts[]): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const { path, imports } of files) {
    for (const imported of imports) {
      importers.set(imported, [...(importers.get(imported) ?? []), path]);
    }
  }
  return importers;
}
