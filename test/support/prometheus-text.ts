/** Time series in a scrape, with its value. A scrape is one response with all metrics. */
export interface ScrapedSeries {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Scrape as Prometheus reads it. */
export interface Scrape {
  readonly types: ReadonlyMap<string, string>;
  readonly series: readonly ScrapedSeries[];
  /** Returns the value of the only series with these labels; undefined if there is none. */
  readonly value: (name: string, labels?: Readonly<Record<string, string>>) => number | undefined;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: \d+)?$/u;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(?:,|$)/uy;

/**
 * Parses Prometheus' text format, version 0.0.4, strictly: each family has its HELP and its TYPE before its samples, is
 * contiguous, and no series occurs twice.
 *
 * @throws {Error} with the line that can't be parsed.
 */
export function readScrape(text: string): Scrape {
  const types = new Map<string, string>();
  const helped = new Set<string>();
  const series: ScrapedSeries[] = [];
  const seen = new Set<string>();
  let family = "";
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const [, word, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) ?(.*)$/u.exec(line) ?? [];
    if (word === "HELP") helped.add(name);
    else if (word === "TYPE") {
      if (types.has(name)) throw new Error(`a second family ${name}`);
      types.set(name, rest);
      family = name;
    } else {
      const one = readSample(line);
      if (familyOf(one.name, types.get(family)) !== family || !helped.has(family)) {
        throw new Error(`not in its family: ${line}`);
      }
      const key = JSON.stringify([one.name, one.labels]);
      if (seen.has(key)) throw new Error(`twice: ${line}`);
      seen.add(key);
      series.push(one);
    }
  }
  const value: Scrape["value"] = (name, labels = {}) =>
    series.find((one) => one.name === name && sameLabels(one.labels, labels))?.value;
  return { types, series, value };
}

function readSample(line: string): ScrapedSeries {
  const match = SAMPLE.exec(line);
  if (match === null) throw new Error(`no sample: ${line}`);
  const [, name = "", inner = "", number = ""] = match;
  const labels: Record<string, string> = {};
  for (let at = 0; at < inner.length;) {
    LABEL.lastIndex = at;
    const label = LABEL.exec(inner);
    if (label === null) throw new Error(`no label at ${at}: ${line}`);
    labels[label[1] ?? ""] = (label[2] ?? "").replace(/\\(.)/gu, (_, one: string) =>
      one === "n" ? "\n" : one,
    );
    at = LABEL.lastIndex;
  }
  return { name, labels, value: number === "+Inf" ? Infinity : Number(number) };
}

/** Returns the family of a sample; a histogram's samples have its name and a suffix. */
function familyOf(name: string, type: string | undefined): string {
  return type === "histogram" || type === "summary"
    ? name.replace(/_(bucket|sum|count)$/u, "")
    : name;
}

function sameLabels(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): boolean {
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key]);
}
