import pc from "picocolors";
import { describe, expect, it } from "vitest";
import type { Io } from "../../../src/cli/io.ts";
import { printList, printRecord, type Column } from "../../../src/cli/output/print.ts";

interface Row {
  readonly id: number;
  readonly text: string | null;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: "ID", of: ({ id }) => id },
  { title: "TEXT", of: ({ text }) => text },
];
const ROWS: readonly Row[] = [
  { id: 1, text: "a text that is longer than the terminal is wide" },
  { id: 1000, text: null },
];

function printed(print: (io: Io) => void, width?: number): { out: string; err: string } {
  const said = { out: "", err: "" };
  const colors = pc.createColors(false);
  print({
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    input: { isTerminal: false, lines: async function* () {}, text: async () => "" },
    cwd: "/",
    env: {},
    interactive: false,
    colors,
    dataColors: colors,
    width,
    signal: new AbortController().signal,
  });
  return said;
}

describe("a printed list", () => {
  it("is a table for people, with a dash for what is missing", () => {
    const { out } = printed((io) => printList(io, false, ROWS, COLUMNS, "none"));

    expect(out).toBe(
      "ID    TEXT\n1     a text that is longer than the terminal is wide\n1000  -\n",
    );
  });

  it("is printed at once, however many spaces a text has", () => {
    const spaces = " ".repeat(200_000);
    const rows = [
      { id: 1, text: `a${spaces}b` },
      { id: 2, text: `c${spaces}` },
    ];
    const { out } = printed((io) => printList(io, false, rows, COLUMNS, "none"));

    expect(out.split("\n").slice(1, 3)).toEqual([`1   a${spaces}b`, "2   c"]);
  });

  it("has its last column cut to the terminal's width", () => {
    const { out } = printed((io) => printList(io, false, ROWS, COLUMNS, "none"), 26);

    expect(out.split("\n")[1]).toBe("1     a text that is long…");
  });

  it("cuts other wide columns, too, if cutting the last one is not enough", () => {
    const why = { title: "WHY", of: () => "a reason that goes on and on and on" };
    const [id, text] = COLUMNS;
    const { out } = printed(
      (io) =>
        printList(
          io,
          false,
          ROWS,
          [id, why, text].flatMap((one) => one ?? []),
          "none",
        ),
      50,
    );

    expect(out.split("\n")[1]).toBe("1     a reason that goes …  a text that is longer…");
  });

  it("puts its last column below the others in a narrow terminal", () => {
    const at = { title: "AT", of: () => "2026-01-01T00:00:00Z" };
    const [id, text] = COLUMNS;
    const columns = [id, at, text].flatMap((one) => one ?? []);
    const { out } = printed((io) => printList(io, false, ROWS, columns, "none"), 34);

    expect(out.split("\n").slice(0, 4)).toEqual([
      "ID    AT",
      "      TEXT",
      "1     2026-01-01T00:00:00Z",
      "      a text that is longer than …",
    ]);
  });

  it("has its last column below the others if there is little room beside them", () => {
    const times = ["AT", "UNTIL"].map((title) => ({ title, of: () => "2026-01-01T00:00:00Z" }));
    const [id, text] = COLUMNS;
    const columns = [id, ...times, text].flatMap((one) => one ?? []);
    const { out } = printed((io) => printList(io, false, ROWS, columns, "none"), 70);

    expect(out.split("\n")[3]).toMatch(/^ {6}a text that is longer than/);
  });

  it("is one JSON object per line for programs", () => {
    const { out, err } = printed((io) => printList(io, true, ROWS, COLUMNS, "none"), 26);

    expect(out).toBe(ROWS.map((row) => `${JSON.stringify(row)}\n`).join(""));
    expect(err).toBe("");
  });

  it.each([
    { json: false, err: "none\n" },
    { json: true, err: "" },
  ])("without items prints no data (json: $json)", ({ json, err }) => {
    expect(printed((io) => printList(io, json, [], COLUMNS, "none"))).toEqual({ out: "", err });
  });
});

describe("a printed record", () => {
  it("aligns its values for people", () => {
    const rows = [
      ["id", 7],
      ["subscribed", false],
      ["name", undefined],
    ] as const;

    expect(printed((io) => printRecord(io, false, {}, rows)).out).toBe(
      "id          7\nsubscribed  false\nname        -\n",
    );
  });

  it("is the value itself for programs", () => {
    const { out } = printed((io) => printRecord(io, true, { id: "7" }, [["id", "7"]]));

    expect(out).toBe('{"id":"7"}\n');
  });
});
