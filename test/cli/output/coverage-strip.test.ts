import { describe, expect, it } from "vitest";
import { coverageStrips, showsBlocks } from "../../../src/cli/output/coverage-strip.ts";
import { type ShownNeeds, shownTime } from "../../../src/runtime/catchup/coverage-view.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2026, 0, 2, 12);

type Spans = ShownNeeds["spans"];

/** A time in which events were received or missed (see `state`). `began` and `ended` are minutes before now. */
function span(began: number, ended: number, state: Spans[number]["state"], reason?: string) {
  const stretch = { account: "100", from: NOW - began * MINUTE, to: NOW - ended * MINUTE, state };
  return reason === undefined ? stretch : { ...stretch, reason };
}

/** Draws the coverage of the last four hours, and returns the lines that are not empty. */
function drawn(spans: Spans, { reachable = true, ascii = false } = {}): readonly string[] {
  const window = { from: NOW - 4 * HOUR, to: NOW };
  const shown = shownTime({ spans, window, now: NOW, reachable });
  const accounts = [{ id: "100", username: "bot", reachable, ...shown }];
  const text = coverageStrips({ ...window, accounts }, { ascii, width: 80 });
  return text.split("\n").filter((line) => line !== "");
}

const cases: readonly {
  readonly what: string;
  readonly spans: Spans;
  readonly reachable?: boolean;
  readonly ascii?: boolean;
  readonly strip: string;
  readonly below: readonly string[];
}[] = [
  { what: "nothing known", spans: [], strip: " ".repeat(16), below: [] },
  {
    what: "all delivered",
    spans: [span(300, 0, "delivered")],
    strip: "█".repeat(16),
    below: ["█ delivered"],
  },
  {
    what: "an account linked two hours ago",
    spans: [span(120, 0, "delivered")],
    strip: `${" ".repeat(8)}${"█".repeat(8)}`,
    below: ["█ delivered"],
  },
  {
    what: "an hour that nothing vouches for yet, and what was read of it",
    spans: [span(300, 90, "delivered"), span(90, 60, "compared"), span(60, 1, "unproven")],
    strip: "██████████▅▅▂▂▂▂",
    below: ["█ delivered   ▅ messages and mentions proven, the rest not yet   ▂ not proven yet"],
  },
  {
    what: "a gap replayed",
    spans: [span(300, 180, "delivered"), span(180, 120, "replayed"), span(120, 0, "delivered")],
    strip: "████▓▓▓▓████████",
    below: ["█ delivered   ▓ replayed"],
  },
  {
    what: "a gap read back only, and one lost",
    spans: [
      span(300, 180, "delivered"),
      span(180, 120, "backfilled", "over 24 hours old"),
      span(120, 60, "lost", "it was not linked"),
      span(60, 0, "delivered"),
    ],
    strip: "████▒▒▒▒xxxx████",
    below: [
      "█ delivered   ▒ messages and mentions only   x lost",
      "@bot  2026-01-02T09:00Z to 2026-01-02T10:00Z (1 h)  messages and mentions only; over 24 hours old",
      "@bot  2026-01-02T10:00Z to 2026-01-02T11:00Z (1 h)  lost; it was not linked",
    ],
  },
  {
    what: "the end too recent for a replay",
    spans: [span(300, 10, "delivered")],
    reachable: false,
    strip: "███████████████~",
    below: [
      "█ delivered   ~ missed, too recent to replay yet",
      "@bot  2026-01-02T11:50Z to 2026-01-02T12:00Z (10 min)  missed, too recent to replay yet",
    ],
  },
  {
    what: "an outage that goes on, by the worst of each character",
    spans: [span(300, 30, "delivered")],
    reachable: false,
    strip: "██████████████??",
    below: [
      "█ delivered   ~ missed, too recent to replay yet   ? missed, being caught up",
      "@bot  2026-01-02T11:30Z to 2026-01-02T11:49Z (19 min)  missed, being caught up",
      "@bot  2026-01-02T11:49Z to 2026-01-02T12:00Z (11 min)  missed, too recent to replay yet",
    ],
  },
  {
    what: "a loss shorter than a character, in ASCII",
    spans: [
      span(300, 180, "delivered"),
      span(180, 120, "replayed"),
      span(120, 119, "lost"),
      span(119, 0, "delivered"),
    ],
    ascii: true,
    strip: "####====x#######",
    below: [
      "# delivered   = replayed   x lost",
      "@bot  2026-01-02T10:00Z to 2026-01-02T10:01Z (1 min)  lost",
    ],
  },
];

describe("the drawing of the coverage", () => {
  it.each(cases)("shows $what", ({ spans, reachable, ascii, strip, below }) => {
    const [head, line, ...rest] = drawn(spans, {
      ...(reachable !== undefined && { reachable }),
      ...(ascii !== undefined && { ascii }),
    });

    expect(head).toBe("2026-01-02T08:00Z to 2026-01-02T12:00Z, one character for 15 min");
    expect(line).toBe(`@bot  ${strip}`);
    expect(rest).toEqual(below);
  });

  it.each([
    { hours: 1, width: 80, cell: "15 min" },
    { hours: 24, width: 103, cell: "20 min" },
    { hours: 24, width: 104, cell: "15 min" },
    { hours: 24, width: undefined, cell: "15 min" },
    { hours: 720, width: 80, cell: "1 d" },
  ])("fits $hours hours into $width columns", ({ hours, width, cell }) => {
    const to = NOW + 7 * MINUTE;
    const window = { from: to - hours * HOUR, to };
    const spans = [{ account: "100", ...window, state: "delivered" as const }];
    const shown = shownTime({ spans, window, now: to, reachable: true });
    const accounts = [{ id: "100", username: "bot2", reachable: true, ...shown }];

    const [head, , line = ""] = coverageStrips(
      { ...window, accounts },
      { ascii: true, width },
    ).split("\n");

    expect(head).toContain(`one character for ${cell}`);
    expect(line.length).toBeLessThanOrEqual(width ?? 110);
  });

  it("draws no line without accounts, and no legend without a period", () => {
    const window = { from: NOW - 4 * HOUR, to: NOW };
    const look = { ascii: true, width: 80 };
    const shown = shownTime({ spans: [], window, now: NOW, reachable: true });
    const bot = { id: "100", username: "bot", reachable: true, ...shown };

    const head = "2026-01-02T08:00Z to 2026-01-02T12:00Z, one character for 15 min\n";
    expect(coverageStrips({ ...window, accounts: [] }, look)).toBe(head);
    expect(coverageStrips({ ...window, accounts: [bot] }, look)).toBe(
      `${head}\n@bot  ${" ".repeat(16)}\n`,
    );
  });

  it.each([
    { env: { LC_ALL: "", LANG: "de_DE.UTF-8" }, shows: true, why: "an empty variable is unset" },
    { env: { LC_ALL: "C", LANG: "de_DE.UTF-8" }, shows: false, why: "LC_ALL comes first" },
    { env: {}, shows: true, why: "no locale is set" },
  ])("draws blocks or plain characters by the locale: $why", ({ env, shows }) => {
    expect(showsBlocks(env)).toBe(shows);
  });
});
