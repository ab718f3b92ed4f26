import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openDatabase } from "../../src/runtime/store/sqlite/binding.ts";
import { openSqliteStore } from "../../src/runtime/store/sqlite/sqlite-store.ts";
import { entry } from "../runtime/store/builders.ts";
import { type Ran, run } from "../support/command-line.ts";
import { seeded } from "../support/seeded.ts";

/** Results of hostile projects and backups. The last three must be zero. */
export interface FileFigures {
  readonly tried: number;
  /**
   * Number of files outside the project that were changed or created, and of backups without a seal that were restored.
   */
  readonly escaped: number;
  /** Number of commands that printed content of a file outside the project. */
  readonly printed: number;
  /** Number of modules outside the project that ran. */
  readonly executed: number;
}

export interface FileAttacks {
  readonly files: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

/** Text in every file that must not be read. It is valid as rules, as settings and as a list. */
const SECRET = "hostile-secret-4711";
const REPORTED_EVERY = 500;

/** Builds random hostile projects and backups, and runs commands on each of them. */
export async function hostileFiles({ files, seed, say }: FileAttacks): Promise<FileFigures> {
  const draw = drawing(seed);
  const stored = await storedBackup();
  const figures = { tried: 0, escaped: 0, printed: 0, executed: 0 };
  try {
    while (figures.tried < files) {
      const place = new HostilePlace();
      try {
        const attack = draw.of(ATTACKS);
        const { what, ran, isTaken } = await attack(place, draw, stored);
        const seen = {
          escaped: Number(isTaken || place.isChanged()),
          printed: Number(`${ran.out}${ran.err}`.includes(SECRET)),
          executed: Number(existsSync(place.at("ran"))),
        };
        figures.tried += 1;
        for (const key of ["escaped", "printed", "executed"] as const) {
          figures[key] += seen[key];
          if (seen[key] > 0) say(`${key}: ${what}`);
        }
        if (figures.tried % REPORTED_EVERY === 0) say(JSON.stringify(figures));
      } finally {
        place.remove();
      }
    }
    return figures;
  } finally {
    rmSync(dirname(stored), { recursive: true });
  }
}

function drawing(seed: number) {
  const below = seeded(seed);
  return {
    below,
    of<T>(all: readonly T[]): T {
      const one = all[below(all.length)];
      if (one === undefined) throw new Error("nothing to draw from");
      return one;
    },
  };
}

/** A project, and a folder outside it that no command may read, run or change. */
class HostilePlace {
  readonly #top = mkdtempSync(join(tmpdir(), "answerback-hostile-"));
  readonly #before: string;

  constructor() {
    for (const folder of ["outside", "project/config/rules", "project/bots", "project/data"]) {
      mkdirSync(this.at(folder), { recursive: true });
    }
    for (const name of ["rules.yaml", "list.txt", "secret", ".env"]) {
      writeFileSync(this.at(`outside/${name}`), `${SECRET}: [${SECRET}\n`);
    }
    const ran = JSON.stringify(this.at("ran"));
    this.put(
      "outside/evil.mjs",
      `import { writeFileSync } from "node:fs";\nwriteFileSync(${ran}, "");\nexport function f() {}\n`,
    );
    this.put("project/config/answerback.yaml", "version: 1\n");
    this.#before = this.#outside();
  }

  at(name: string): string {
    return join(this.#top, name);
  }

  put(name: string, text: string): void {
    mkdirSync(dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), text);
  }

  rules(actions: string, head = ""): void {
    this.put(
      "project/config/rules/a.yaml",
      `version: 1\n${head}rules: [{id: one, triggers: [dm.received], actions: [${actions}{reply_dm: hello}]}]\n`,
    );
  }

  run(...args: readonly string[]): Promise<Ran> {
    return run(this.at("project"), ...args);
  }

  isChanged(): boolean {
    return (
      this.#outside() !== this.#before ||
      readdirSync(this.at("project/bots")).length > 0 ||
      existsSync(this.at("project/data/console.json"))
    );
  }

  remove(): void {
    rmSync(this.#top, { recursive: true, force: true });
  }

  #outside(): string {
    const folder = this.at("outside");
    const names = readdirSync(folder).toSorted();
    return JSON.stringify(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  }
}

interface Attacked {
  readonly what: string;
  readonly ran: Ran;
  /** Whether a backup without a valid seal was restored. */
  readonly isTaken: boolean;
}
type Draw = ReturnType<typeof drawing>;
type Attack = (place: HostilePlace, draw: Draw, stored: string) => Promise<Attacked>;

/** Returns a path to something outside, hidden or special, and creates its target. */
function hostilePath(place: HostilePlace, draw: Draw, ending: string): string {
  const target = ending === ".mjs" ? "evil.mjs" : draw.of(["rules.yaml", "list.txt", "secret"]);
  const name = `x${draw.below(1_000)}${draw.of([ending, ending, ".txt", ""])}`;
  const inRules = `project/config/rules/${name}`;
  const up = "../../../outside/";
  switch (draw.below(10)) {
    case 0:
      return `${up}${target}`;
    case 1:
      return place.at(`outside/${target}`);
    case 2:
      symlinkSync(place.at(`outside/${target}`), place.at(inRules));
      return `./${name}`;
    case 3:
      symlinkSync(place.at("outside"), place.at("project/config/rules/inner"));
      return `./inner/${target}`;
    case 4:
      place.put(`project/.hidden/${name}`, readFileSync(place.at(`outside/${target}`), "utf8"));
      return `../../.hidden/${name}`;
    case 5:
      place.put("project/.env", `${SECRET}=${SECRET}\n`);
      return draw.of(["../../.env", "./../.././.env", "../rules/../../.env"]);
    case 6:
      execFileSync("mkfifo", [place.at(inRules)]);
      return `./${name}`;
    case 7:
      symlinkSync(draw.of(["/proc/self/environ", "/dev/zero", "/etc/passwd"]), place.at(inRules));
      return `./${name}`;
    case 8:
      place.put(inRules, `${SECRET.slice(0, 4)}\n`);
      truncateSync(place.at(inRules), 200 * 2 ** 20);
      return `./${name}`;
    default:
      place.put(
        `project/node_modules/p/${target}`,
        readFileSync(place.at(`outside/${target}`), "utf8"),
      );
      return ending === ".mjs" ? `../../node_modules/p/${target}` : `${up}./${target}`;
  }
}

const command = (draw: Draw): readonly string[] =>
  draw.of([["check"], ["check", "--no-code"], ["check", "--format", "sarif"], ["check", "--json"]]);

const ATTACKS: readonly Attack[] = [
  async function uses(place, draw) {
    const path = hostilePath(place, draw, ".yaml");
    place.rules("", `use: [{file: ${JSON.stringify(path)}, as: x}]\n`);
    return { what: `use ${path}`, ran: await place.run(...command(draw)), isTaken: false };
  },
  async function calls(place, draw) {
    const path = hostilePath(place, draw, ".mjs");
    place.rules(`{call: ${JSON.stringify(`${path}#f`)}}, `);
    return { what: `call ${path}`, ran: await place.run(...command(draw)), isTaken: false };
  },
  async function links(place, draw) {
    place.rules("");
    const target = draw.of([
      place.at("outside/rules.yaml"),
      "../../../outside/secret",
      "/proc/self/environ",
      place.at("outside"),
    ]);
    const name = draw.of(["z.yaml", "z.test.yaml"]);
    symlinkSync(target, place.at(`project/config/rules/${name}`));
    const args = draw.of([["check"], ["test"], ["explain", "one"], ["check", "--fix"]]);
    return { what: `link ${name} to ${target}`, ran: await place.run(...args), isTaken: false };
  },
  async function tests(place, draw) {
    place.rules("");
    const key = draw.of(["rule_files", "bot_files"]);
    const path = hostilePath(place, draw, key === "bot_files" ? ".mjs" : ".yaml");
    const own = key === "bot_files" ? "rule_files: [a.yaml]\n" : "";
    place.put(
      "project/config/rules/a.test.yaml",
      `version: 1\n${own}${key}: [${JSON.stringify(path)}]\nusers: {ann: {id: "1"}}\ntests: [{name: t, events: [{at: 0s, dm.received: {from: ann, text: hi}}], expect: []}]\n`,
    );
    return { what: `${key} ${path}`, ran: await place.run("test"), isTaken: false };
  },
  async function writes(place, draw) {
    place.rules("");
    const name = draw.of(["report.xml", "secret"]);
    const target = place.at(`outside/${draw.of(["new", "secret", "list.txt"])}`);
    symlinkSync(target, place.at(`project/${name}`));
    if (draw.below(2) === 0) {
      place.put(
        "project/config/rules/a.test.yaml",
        `version: 1\nrule_files: [a.yaml]\nusers: {ann: {id: "1"}}\ntests: [{name: t, events: [{at: 0s, dm.received: {from: ann, text: hi}}], expect: [{at: 0s, reply_dm: {}}]}]\n`,
      );
      const ran = await place.run("test", "--junit", name);
      return { what: `test --junit to a link to ${target}`, ran, isTaken: false };
    }
    symlinkSync(place.at("outside"), place.at("project/config/schema"));
    const ran = await place.run("check", "--schema");
    return { what: "check --schema into a link", ran, isTaken: false };
  },
  async function backups(place, draw, stored) {
    const backup = place.at("project/x.backup");
    const what = forge(stored, backup, place, draw);
    const foreign = draw.below(2) === 0;
    const ran = await place.run("restore", "x.backup", ...(foreign ? ["--foreign"] : []));
    return { what: `restore of ${what}`, ran, isTaken: !foreign && ran.code === 0 };
  },
];

/** Changes a backup in one way, and returns a description of the change. */
function forge(stored: string, backup: string, place: HostilePlace, draw: Draw): string {
  const bytes = readFileSync(stored);
  if (draw.below(4) === 0) {
    const end = draw.below(bytes.length);
    writeFileSync(backup, bytes.subarray(0, end));
    return `its first ${end} bytes`;
  }
  if (draw.below(6) === 0) {
    for (let n = 0; n < 40; n++) bytes[draw.below(bytes.length)] = draw.below(256);
    writeFileSync(backup, bytes);
    return "one with 40 other bytes";
  }
  writeFileSync(backup, bytes);
  const name = draw.of([
    "../bots/zz.ts",
    "../../outside/secret",
    place.at("outside/new"),
    "console.json",
    "key",
    "accounts.json",
  ]);
  const quoted = JSON.stringify(name);
  const statement = draw.of([
    `INSERT INTO backup_files VALUES ('${name}', 0, 'x'); UPDATE backup_about SET about = json_set(about, '$.files', json('[${quoted}]'))`,
    `INSERT INTO backup_files VALUES ('${name}', 0, 'x')`,
    "UPDATE journal SET body = '{}'",
    "UPDATE journal SET at = 'soon'",
    "CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM journal; END",
    "CREATE TABLE more (a)",
    "UPDATE backup_about SET about = '{}'",
  ]);
  const db = openDatabase(backup);
  db.exec(statement);
  db.close();
  return `one after ${statement}`;
}

async function storedBackup(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "answerback-hostile-backup-"));
  const store = await openSqliteStore(join(folder, "data"), {});
  await store.append([entry({ key: "dm:1" })]);
  await store.close();
  const { code, err } = await run(folder, "backup", "--to", "x.backup");
  if (code !== 0) throw new Error(err);
  return join(folder, "x.backup");
}
